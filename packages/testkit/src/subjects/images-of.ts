import type { ImageSubject } from '../laws/image-subject.ts'
import { chatImages } from './chat-images.ts'
import { genaiImages } from './genai-image.ts'

/** One line per protocol with images. */
export const IMAGES_OF: { readonly [protocol: string]: ImageSubject } = {
  chat: chatImages,
  genai: genaiImages,
}
