import type { ChatChunk, ChatRequest, ChatResponse } from '@dragoman/core'
import type OpenAI from 'openai'
import type { Gaps, Reasons } from './gaps.test-d.ts'

// What the types of the SDK allow and our grammar does not, with the reason. `tsc` fails where a list is not complete.

export const requests: Reasons<Gaps<OpenAI.ChatCompletionCreateParams, ChatRequest>> = 'no gaps'

export const responses: Reasons<Gaps<OpenAI.ChatCompletion, ChatResponse>> = 'no gaps'
export const chunks: Reasons<Gaps<OpenAI.ChatCompletionChunk, ChatChunk>> = 'no gaps'
