/** How the base64 of a picture begins. */
const BEGINNINGS: readonly (readonly [beginning: string, type: string])[] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['UklGR', 'image/webp'],
  ['R0lGOD', 'image/gif'],
]

/** The media type of a picture in base64, by its first bytes; PNG if they are unknown. */
export function pictureType(data: string): string {
  return BEGINNINGS.find(([beginning]) => data.startsWith(beginning))?.[1] ?? 'image/png'
}
