import { isUrl } from '../lib/data-url.ts'
import { refine, text } from '../lib/grammar/schema.ts'

/** The grammar of data that is base64 without a media type. Only its beginning is looked at: it can be many megabytes long. */
export const inlineData = refine(text, (data) => !isUrl(data), 'is a URL, not base64')
