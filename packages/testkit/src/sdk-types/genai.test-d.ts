import type { GenaiRequest, GenaiResponse } from '@dragoman/core'
import type {
  Content,
  CountTokensConfig,
  GenerateContentConfig,
  GenerateContentResponse,
  GenerationConfig,
  Tool,
} from '@google/genai'
import type { Gaps, Reasons } from './gaps.test-d.ts'

// What the types of the SDK allow and our grammar does not, with the reason. `tsc` fails where a list is not complete.

/** The body that the SDK writes: it divides `config` between the body and `generationConfig`. */
type Body = Pick<GenerateContentConfig, TopLevel> & {
  contents: Content[]
  systemInstruction?: Content
  tools?: Tool[]
  generationConfig?: GenerationConfig & Omit<GenerateContentConfig, TopLevel | ClientSide | Rewritten>
}
type TopLevel =
  | 'safetySettings'
  | 'toolConfig'
  | 'labels'
  | 'cachedContent'
  | 'serviceTier'
  | 'modelArmorConfig'
  | 'continuationToken'
  | 'store'
/** Options of the client, which it does not send. */
type ClientSide = 'httpOptions' | 'abortSignal' | 'automaticFunctionCalling' | 'automaticContinuation'
/** The SDK accepts shorter forms of these, or sends them under another name. */
type Rewritten =
  | 'systemInstruction'
  | 'tools'
  | 'speechConfig'
  | 'responseSchema'
  | 'responseModalities'
  | 'generationOutputConfig' // sent as outputConfig
  | 'modelSelectionConfig' // sent as modelConfig

const CLIENT = 'the SDK adds it'
const REQUIRED = 'optional in the types of the SDK, and required by the API'
type Requests = Gaps<Body, GenaiRequest>

export const requests: Reasons<Requests> = {
  'contents.parts?': REQUIRED,
  'systemInstruction.parts?': REQUIRED,
  'inlineData.mimeType?': REQUIRED,
  'inlineData.data?': REQUIRED,
  'fileData.fileUri?': REQUIRED,
  'functionCall.name?': REQUIRED,
  'functionResponse.name?': REQUIRED,
  'functionDeclarations.name?': REQUIRED,
  'executableCode.code?': REQUIRED,
  'executableCode.language?': REQUIRED,
  'codeExecutionResult.outcome?': REQUIRED,
  'safetySettings.category?': REQUIRED,
  'safetySettings.threshold?': REQUIRED,
}

/** `:countTokens` takes the same members. */
type Counted = Omit<CountTokensConfig, ClientSide | 'systemInstruction'>
export const counts: Reasons<Exclude<Gaps<Counted & { contents: Content[] }, GenaiRequest>, Requests>> = 'no gaps'

/** The SDK computes these members from the others. */
type Getter = 'text' | 'data' | 'functionCalls' | 'executableCode' | 'codeExecutionResult' | 'initialPromptTokenCount'

export const responses: Reasons<Exclude<Gaps<Omit<GenerateContentResponse, Getter>, GenaiResponse>, Requests>> = {
  'body.sdkHttpResponse': CLIENT,
  'body.automaticFunctionCallingHistory': CLIENT,
  'chosenCandidates.token?': REQUIRED,
  'chosenCandidates.logProbability?': REQUIRED,
  'candidates.token?': REQUIRED,
  'candidates.logProbability?': REQUIRED,
}
