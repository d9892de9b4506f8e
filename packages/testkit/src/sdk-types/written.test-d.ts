import type Anthropic from '@anthropic-ai/sdk'
import type { GenerateContentResponse, Model } from '@google/genai'
import type OpenAI from 'openai'

// What an answer must be assignable to. `written.test.ts` compiles answers of our encoders against these functions.

/**
 * A type of an SDK for values that are written as JSON: a member that may be null may be absent, because null is a member that was not
 * given, and an enum is its text. The members in `Left` are left out on purpose.
 */
export type Written<T, Left extends string = never> = T extends string
  ? `${T}`
  : T extends readonly (infer Item)[]
    ? Written<Item, Left>[]
    : T extends object
      ? string extends keyof T
        ? T
        : {
            [Name in keyof T as MayBeAbsent<T, Name, Left> extends true ? never : Name]: Written<T[Name], Left>
          } & {
            [Name in keyof T as MayBeAbsent<T, Name, Left> extends true ? Name : never]?: Written<T[Name], Left> | null
          }
      : T

type MayBeAbsent<T, Name extends keyof T, Left> = Name extends Left
  ? true
  : unknown extends T[Name]
    ? false
    : null extends T[Name]
      ? true
      : {} extends Pick<T, Name>
        ? true
        : false

/** The SDK computes these members of an answer from the others. */
type Getter = 'text' | 'data' | 'functionCalls' | 'executableCode' | 'codeExecutionResult' | 'initialPromptTokenCount'
type Generated = Omit<GenerateContentResponse, Getter>

/** Who called a tool: the model itself, if it is absent. */
type Caller = 'caller'
/** Images and documents of other models. The SDK has no such blocks in answers; they are written as in requests. */
type MediaBlock = Anthropic.ImageBlockParam | Anthropic.DocumentBlockParam
type Message = Omit<Anthropic.Message, 'content'> & { content: (Anthropic.ContentBlock | MediaBlock)[] }
type StartEvent = Anthropic.RawContentBlockStartEvent
type MediaEvent = Omit<StartEvent, 'content_block'> & { content_block: MediaBlock }

// A type parameter, because an answer may have more members than the SDK knows.
export declare function chatResponse<T extends Written<OpenAI.ChatCompletion>>(answer: T): T
export declare function chatEvent<T extends Written<OpenAI.ChatCompletionChunk>>(chunk: T): T
export declare function messagesResponse<T extends Written<Message, Caller>>(answer: T): T
export declare function messagesEvent<T extends Written<Anthropic.RawMessageStreamEvent | MediaEvent, Caller>>(
  event: T,
): T
export declare function genaiResponse<T extends Written<Generated>>(answer: T): T
export declare function genaiEvent<T extends Written<Generated>>(chunk: T): T

/** The SDK computes the text from the items, and only the vendor knows its access programs. */
type Computed = 'output_text' | 'access_programs'
type Responded = Omit<OpenAI.Responses.Response, Computed>
type ResponsesEvent = OpenAI.Responses.ResponseStreamEvent
export declare function responsesResponse<T extends Written<Responded, 'cache_write_tokens'>>(answer: T): T
export declare function responsesEvent<T extends Written<ResponsesEvent, Computed | 'cache_write_tokens'>>(event: T): T

// Model lists have every member, also those that may be null: SDKs in other languages require them.
export declare function chatModel<T extends OpenAI.Model>(model: T): T
export declare function messagesModel<T extends Anthropic.ModelInfo>(model: T): T
export declare function responsesModel<T extends OpenAI.Model>(model: T): T
export declare function genaiModel<T extends Model>(model: T): T
