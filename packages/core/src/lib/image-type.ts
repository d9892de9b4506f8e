/** How the base64 of each format begins. */
const STARTS: readonly (readonly [start: RegExp, mime: string])[] = [
  [/^iVBORw/, 'image/png'],
  [/^\/9j\//, 'image/jpeg'],
  [/^UklGR.{8}XRUJQ/, 'image/webp'],
  [/^R0lGOD/, 'image/gif'],
]

/** The media type of a picture, by the first bytes of its base64; undefined if it is none of the usual formats. */
export function imageTypeOf(base64: string): string | undefined {
  const head = base64.slice(0, 20)
  return STARTS.find(([start]) => start.test(head))?.[1]
}
