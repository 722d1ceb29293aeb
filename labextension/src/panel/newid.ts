/** Names for what is asked of the kernel, so that its answer finds back. */

/** A random one; not by `crypto.randomUUID`, which pages that are not served securely lack. */
export function newId(): string {
  return [...crypto.getRandomValues(new Uint32Array(2))].map(part => part.toString(16)).join('-');
}
