import type { ChatImageAnswer, ChatImageEdit, ChatImageEvent, ChatImageGeneration } from '@dragoman/core/media'
import type OpenAI from 'openai'
import type { Gaps, Reasons } from './gaps.test-d.ts'

// What the types of the SDK allow and our grammar does not, with the reason. `tsc` fails where a list is not complete.

/** A gateway has no default model. */
const model = { 'body.model?': 'the specification requires it' } as const
export const generations: Reasons<Gaps<OpenAI.ImageGenerateParams, ChatImageGeneration>> = model
/** Files are data URLs in JSON. */
export const edits: Reasons<Gaps<Omit<OpenAI.ImageEditParams, 'image' | 'mask'>, ChatImageEdit>> = model
export const answers: Reasons<Gaps<OpenAI.ImagesResponse, ChatImageAnswer>> = 'no gaps'
type Event = OpenAI.ImageGenStreamEvent | OpenAI.ImageEditStreamEvent
export const events: Reasons<Gaps<Event, ChatImageEvent>> = 'no gaps'
