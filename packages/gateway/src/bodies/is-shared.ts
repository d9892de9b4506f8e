/** Whether all threads can read these bytes. Some runtimes have no such memory. */
export function isShared({ buffer }: Uint8Array): boolean {
  return typeof SharedArrayBuffer !== 'undefined' && buffer instanceof SharedArrayBuffer
}
