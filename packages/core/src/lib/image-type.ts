/** How the base64 of each format begins. */
const STARTS: readonly (readonly [start: RegExp, mime: string])[] = [
  [/^iVBORw0KGgo/, 'image/png'],
  [/^\/9j\//, 'image/jpeg'],
  // RIFF, four bytes of length, WEBP.
  [/^UklGR.{7}RUJQ/, 'image/webp'],
  [/^R0lGOD/, 'image/gif'],
]

/** The media type of an image, by the first bytes of its base64; undefined if it is none of the usual formats. */
export function imageTypeOf(base64: string): string | undefined {
  const head = base64.slice(0, 20)
  return STARTS.find(([start]) => start.test(head))?.[1]
}

/** The same by its first bytes. */
export function imageTypeOfBytes(bytes: Uint8Array): string | undefined {
  return imageTypeOf(btoa(String.fromCharCode(...bytes.subarray(0, 15))))
}
