/** Whether a text is an id of a call: only such a text can be compared with a uuid. */
export function isId(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text)
}
