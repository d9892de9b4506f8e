export { DragomanError, asDragomanError, type ErrorFacts, type ErrorKind } from './ir/error.ts'
export type { Extras, Node } from './ir/extras.ts'
export type { Finish, FinishReason } from './ir/finish.ts'
export { applyQuirks, type Quirked } from './ir/apply-quirks.ts'
export { composeLosses } from './ir/compose.ts'
export { createFold, type Fold } from './ir/fold.ts'
export { createLosses, describeLoss, type Loss, type Losses, type Path } from './ir/loss.ts'
export type { Message, Role } from './ir/message.ts'
export { dialectOf, type Card, type Chooser, type Modality, type Price } from './ir/model.ts'
export type {
  CacheMark,
  Citation,
  CitationSource,
  CitationSpan,
  Clip,
  Code,
  CodeOutput,
  Media,
  Opaque,
  Part,
  Reasoning,
  Refusal,
  SearchHit,
  Source,
  Text,
  ToolCall,
  ToolOutput,
  ToolResult,
} from './ir/part.ts'
export type { Quirk } from './ir/quirk.ts'
export { decodeRenames, encodeRenames } from './ir/rename.ts'
export type { Delivery, ModelRequest } from './ir/request.ts'
export type { Blocked, Candidate, Logprob, Logprobs, ModelResponse } from './ir/response.ts'
export type { Seal } from './ir/seal.ts'
export type { OutputWish, ReasoningWish, Settings } from './ir/settings.ts'
export type { Emit, Machine, StreamEvent } from './ir/stream.ts'
export type { BuiltinTool, CustomTool, FunctionTool, Schema, Tool, ToolChoice } from './ir/tool.ts'
export type { Usage } from './ir/usage.ts'
export type { Edits, Parsed } from './lib/edits.ts'
export { isObject, parseJson, type Json, type JsonObject } from './lib/json.ts'
export { didYouMean } from './lib/near.ts'
export { createNameMap, type NameChange, type NameMap } from './lib/names.ts'
export { createSseReader, type SseReader } from './lib/sse.ts'
export { cutTopLevel, editTopLevel } from './lib/top-level.ts'
export { checkCounts, COUNT_LIMITS, type CountLimits } from './protocols/check-counts.ts'
export { chat } from './protocols/chat/index.ts'
export type { ChatRequest, ChatResponse, WireChunk as ChatChunk } from './protocols/chat/schema.ts'
export { genai } from './protocols/genai/index.ts'
export type { GenaiRequest, GenaiResponse } from './protocols/genai/schema.ts'
export { protocols } from './protocols/index.ts'
export type { WireEvent as MessagesEvent } from './protocols/messages/read-content.ts'
export { messages } from './protocols/messages/index.ts'
export type { MessagesRequest, MessagesResponse } from './protocols/messages/schema.ts'
export type {
  Asked,
  CountCodec,
  DecodeContext,
  EncodeContext,
  Encoding,
  ErrorCodec,
  Head,
  Http,
  Limits,
  ListedModel,
  Match,
  ModelsCodec,
  Peek,
  Protocol,
  Relay,
  RequestCodec,
  ResponseCodec,
  StreamCodec,
  StreamDecoder,
  Tap,
  TapEnd,
  TapOptions,
  Target,
} from './protocols/protocol.ts'
export type { AnswerStream } from './protocols/answer-stream.ts'
export { transformStream } from './protocols/transform-stream.ts'
export {
  translateAnswer,
  type AnswerFacts,
  type AnswerTranslator,
  type AnswerTranslatorOptions,
  type TranslatedAnswer,
} from './protocols/translate-answer.ts'
export {
  translate,
  translateError,
  translateRequest,
  translateResponse,
  translateStream,
  type AnswerOptions,
  type TranslatedRequest,
  type TranslateOptions,
  type Translation,
} from './protocols/translate.ts'
export { enableProviders, listOf, readEnvironment, variableName, type Environment } from './provider/environment.ts'
export { refuseChoosers } from './provider/choosers.ts'
export { encodeMultipart, readContent, type Multipart } from './provider/content.ts'
export { failureError } from './provider/failure.ts'
export { readModelList } from './provider/model-list.ts'
export { wrongOption, type ExtraModel, type ProviderOptions } from './provider/options.ts'
export { BEARER, type Auth, type EnvironmentNames, type ProviderDefinition } from './provider/definition.ts'
export { perCount, perSecond, usd, type ItemPrice } from './provider/prices.ts'
export { defineProvider, factoryOf, type Outbound, type Provider } from './provider/provider.ts'
export { quirkObstacle } from './provider/quirks.ts'
export { BUDGET_AS_EFFORT, effortQuirks, MAX_TOKENS, THINKING_TYPE } from './provider/reasoning-quirks.ts'
export { createRedact, redactError, secretsOf, type Redact } from './provider/redact.ts'
export { runTask, type Clock, type Task, type TaskStep } from './provider/task.ts'
export {
  joinBody,
  lengthOf,
  type Bytes,
  type Call,
  type Deadlines,
  type Failure,
  type Fields,
  type Flow,
  type Method,
  type OutgoingBody,
  type Receiver,
  type Transport,
} from './provider/transport.ts'
export { sendWhole, type SendOptions, type WholeAnswer } from './provider/whole-answer.ts'
