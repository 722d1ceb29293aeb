/** The version of the package; a test holds it to Python's. */
export const VERSION = '0.1.0';
