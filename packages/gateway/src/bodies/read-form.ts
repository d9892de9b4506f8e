import { DragomanError, type Head } from '@dragoman/core'
import { isShared } from './is-shared.ts'

const FORM = /^multipart\/form-data\s*;.*boundary=/i

/** Whether the content type is that of a form. */
export function isForm(head: Head): boolean {
  return FORM.test(head.header('content-type') ?? '')
}

/** Throws if the content type is not a form. */
export function admitForm(head: Head): void {
  if (isForm(head)) return
  throw new DragomanError('media-type', 'The content-type header must be multipart/form-data with a boundary.', {
    param: 'content-type',
  })
}

/** Parses a `multipart/form-data` body. */
export async function readForm(bytes: Uint8Array, contentType = ''): Promise<FormData> {
  try {
    // `Response` can parse forms without a URL, which a `Request` would need.
    const own = isShared(bytes) ? bytes.slice() : bytes
    return await new Response(own as BodyInit, { headers: { 'content-type': contentType } }).formData() // bytes are one
  } catch (cause) {
    throw new DragomanError('invalid-request', 'The body is not valid multipart/form-data.', { cause })
  }
}
