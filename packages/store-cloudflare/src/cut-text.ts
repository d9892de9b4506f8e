/** A text of at most so many bytes, with a mark if something is missing at its end. */
export function cutText(text: string, mostBytes: number): string {
  // A code unit takes three bytes at most.
  if (text.length * 3 <= mostBytes) return text
  const bytes = new TextEncoder().encode(text)
  if (bytes.length <= mostBytes) return text
  const mark = `[cut off: ${bytes.length} bytes in all]`
  // A character that was cut in the middle is left out.
  const kept = new TextDecoder().decode(bytes.subarray(0, mostBytes - mark.length), { stream: true })
  return kept + mark
}
