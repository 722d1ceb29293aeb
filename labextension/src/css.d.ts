/** A style sheet as a string, as esbuild's text loader gives it. */
declare module '*.css' {
  const text: string;
  export default text;
}
