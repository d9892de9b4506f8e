import type { Target } from '../context.ts'

/** New images. */
export const GENERATION = 'image'
/** Edits of given images, as a form. */
export const EDIT = 'image-edit'
/** The same as JSON, for upstreams that take it. */
export const JSON_EDIT = 'image-edit-json'

/** The paths of callers. */
export const IMAGE_PATHS = { '/images/generations': GENERATION, '/images/edits': EDIT }

/** Where upstreams take edits. */
export const IMAGE_TARGETS: { readonly [operation: string]: Target } = {
  [EDIT]: { path: '/images/edits', headers: {}, body: 'multipart' },
  [JSON_EDIT]: { path: '/images/edits', headers: {}, body: 'json' },
}
