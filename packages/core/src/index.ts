export { DragomanError, asDragomanError, type ErrorFacts, type ErrorKind } from './ir/error.ts'
export type { Extras, Node } from './ir/extras.ts'
export type { Finish, FinishReason, Blocked, Candidate, Logprob, Logprobs, ModelResponse } from './ir/response.ts'
export type { LinkedMedia } from './ir/linked-media.ts'
export { composeLosses } from './ir/compose.ts'
export type { Feature, FindFeatures, RequestLoss } from './ir/feature.ts'
export { createFold, type Fold } from './ir/fold.ts'
export { createLosses, describeLoss, type Loss, type Losses, type Path } from './ir/loss.ts'
export { lossCode, type LossCode, type LossSubject } from './ir/loss-code.ts'
export type { Message, Role, Delivery, ModelRequest, OutputOptions, ReasoningOptions, Settings } from './ir/request.ts'
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
export type { PriceTerms, Usage } from './ir/usage.ts'
export type { Seal } from './ir/seal.ts'
export type { Emit, Machine, StreamEvent } from './ir/stream.ts'
export type { BuiltinTool, CustomTool, FunctionTool, Schema, Tool, ToolChoice } from './ir/tool.ts'
export type { Cut, Edits, Parsed } from './lib/top-level.ts'
export type { Accepted } from './lib/literal.ts'
export { isObject, parseJson, type Json, type JsonObject } from './lib/json.ts'
export { createNameMap, type NameChange, type NameMap } from './lib/names.ts'
export { createSseReader, type SseReader } from './lib/sse.ts'
export { valuesOf, type Span } from './lib/scan-json.ts'
export { applyCuts, editTopLevel, findCuts } from './lib/top-level.ts'
export { refuseDepth, checkCounts, COUNT_LIMITS } from './protocols/read-body.ts'
export type { CountLimits } from './protocols/read-body.ts'
export { chat } from './protocols/chat/codec.ts'
export type { ChatResponse, WireChunk as ChatChunk } from './protocols/chat/answer-schema.ts'
export type { ChatRequest } from './protocols/chat/schema.ts'
export { genai } from './protocols/genai/codec.ts'
export type { GenaiResponse } from './protocols/genai/answer-schema.ts'
export type { GenaiRequest } from './protocols/genai/schema.ts'
export type { MessagesEvent, MessagesResponse } from './protocols/messages/answer-schema.ts'
export { messages } from './protocols/messages/codec.ts'
export type { MessagesRequest } from './protocols/messages/schema.ts'
export type { ResponsesEvent, ResponsesResponse } from './protocols/responses/answer-schema.ts'
export { responses } from './protocols/responses/codec.ts'
export type { ResponsesRequest } from './protocols/responses/schema.ts'
export type { Asked, DecodeContext, EncodeContext, Encoding, Limits, Match, Target } from './protocols/context.ts'
export type {
  CountCodec,
  ErrorCodec,
  Head,
  Http,
  ListedModel,
  ModelsCodec,
  Codec,
  FillLinks,
  LinkForm,
  Protocol,
  RateLimit,
  RateLimits,
  Relay,
  RequestCodec,
  ResponseCodec,
  StreamCodec,
  StreamDecoder,
  AnswerItem,
  ReferenceCodec,
} from './protocols/protocol.ts'
export type { MediaMap, WireMedia } from './protocols/media-map.ts'
export type { AnswerCost, Peek, Pricing, RoutingPreferences, Tap, TapEnd, TapOptions } from './protocols/relay.ts'
export type { AnswerStream } from './protocols/answer-stream.ts'
export type { ReportedLoss } from './protocols/reported-loss.ts'
export { transformStream, translateAnswer } from './protocols/translate-answer.ts'
export type {
  AnswerFacts,
  AnswerTranslator,
  AnswerTranslatorOptions,
  Body,
  TranslatedAnswer,
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
export { vendor } from './lib/literal.ts'
