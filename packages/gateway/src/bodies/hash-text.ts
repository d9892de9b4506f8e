/** 64 bits of FNV-1a in two halves, as 16 hexadecimal digits. Not for secrets: a collision lets two conversations look like one. */
export function hashText(text: string): string {
  let one = 0x811c9dc5
  let two = 0xcbf29ce4
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    one = Math.imul(one ^ unit, 0x01000193)
    two = Math.imul(two ^ unit, 0x01000197)
  }
  return (one >>> 0).toString(16).padStart(8, '0') + (two >>> 0).toString(16).padStart(8, '0')
}
