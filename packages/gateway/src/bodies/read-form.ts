import { DragomanError, type Head } from '@dragoman/core'

const FORM = /^multipart\/form-data\s*;.*boundary=/i

/** Throws for a body that is announced as something else than a form. */
export function admitForm(head: Head): void {
  if (FORM.test(head.header('content-type') ?? '')) return
  throw new DragomanError('media-type', 'The content-type header must be multipart/form-data with a boundary.', {
    param: 'content-type',
  })
}

/** The fields and files of a `multipart/form-data` body. */
export async function readForm(bytes: Uint8Array, contentType = ''): Promise<FormData> {
  try {
    // The platform reads forms from the body of a response as it does from that of a request.
    return await new Response(bytes as BodyInit, { headers: { 'content-type': contentType } }).formData() // bytes are one
  } catch (cause) {
    throw new DragomanError('invalid-request', 'The body is not valid multipart/form-data.', { cause })
  }
}
