/** Two halves, never cut inside a character. */
export function pieces(text: string): string[] {
  const middle = Math.ceil(text.length / 2)
  const half = /[\uD800-\uDBFF]/.test(text.charAt(middle - 1)) ? middle + 1 : middle
  return [text.slice(0, half), text.slice(half)].filter((piece) => piece !== '')
}
