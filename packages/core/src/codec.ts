// The building blocks of these protocols, for protocols in other packages. All other code needs only `index.ts`.
export {
  functionOfCustom,
  objectArguments,
  readArguments,
  reportKept,
  decodedSchema,
  reducedSchema,
  standardSchema,
  distinctTools,
  withoutOptions,
} from './ir/tool.ts'
export { keep, keptWord, known, keepExtras, nest, restore, unknownOf, withoutMember, type Known } from './ir/extras.ts'
export { guessRole, hashedUser, reportStreamUsage } from './ir/request.ts'
export { encodeFinishReason, readFinish } from './ir/response.ts'
export { grow, streamedText, openPart, type OpenPart } from './ir/fold.ts'
export { reportForeign, reportForeignExtras, reportForeignToken } from './ir/foreign-extras.ts'
export { NO_LOSSES } from './ir/loss.ts'
export {
  groupSeals,
  budgetOfEffort,
  effortOf,
  isReasoningOff,
  leavingAnswer,
  MOST_BUDGET,
  reportReasoning,
} from './ir/reasoning.ts'
export {
  lostPart,
  lostTool,
  withoutMedia,
  mediaInside,
  textOfPart,
  textsOf,
  transcriptOf,
} from './ir/unsupported-part.ts'
export { displayName, modelFacts, releaseDate } from './ir/model.ts'
export { countCalls, pairCalls, type Pairs } from './ir/pairs.ts'
export {
  carry,
  isSealed,
  openId,
  sealId,
  unwrap,
  unwrapBytes,
  wrap,
  wrapBytes,
  type Opened,
  type Target,
} from './ir/seal.ts'
export type { EventOf } from './ir/stream.ts'
export {
  readCount,
  readTotal,
  reportSearches,
  withSearches,
  allCacheWrites,
  outputByTotal,
  overwrite,
} from './ir/usage.ts'
export type { Written } from './ir/usage.ts'
export { carryImages } from './ir/carry-images.ts'
export {
  arrangeTurns,
  encodeBeside,
  isPlainText,
  plainTextOf,
  eachPart,
  leadingInstructions,
  partPath,
  reportEmptyTurn,
  type Beside,
  type Owner,
  type Turn,
} from './ir/turns.ts'
export { valueAt } from './lib/json-path.ts'
export { standardBase64 } from './lib/base64.ts'
export { imageTypeOf, formatDataUrl, isUrl, parseDataUrl, parseFileData, inlineData } from './lib/data-url.ts'
export { defined, createCounts, createMemberBuffer, exactly, withoutNeutral } from './lib/members.ts'
export type { MemberBuffer, Neutral, Draft } from './lib/members.ts'
export { isEmpty, listOf, merge, numberOf, objectOf, stringOf, optionalString } from './lib/json.ts'
export { createTextBuffer, template } from './lib/streamed-text.ts'
export type { TextBuffer } from './lib/streamed-text.ts'
export type { Watch } from './lib/json-pieces.ts'
export { createPendingBlocks, type PendingBlock, type PendingBlocks } from './lib/pending-blocks.ts'
export { createRepeat, type Repeat } from './lib/repeat.ts'
export * as schema from './lib/grammar/schema.ts'
export type { MemberName } from './lib/grammar/members.ts'
export { createReader, type Reader } from './lib/grammar/reader.ts'
export { createWords, type Words } from './lib/grammar/members.ts'
export { cacheControl, encodeCache, keepMarked } from './protocols/cache-control.ts'
export { checkBody, asUpstreamError, notAnAnswer, readAnswer, readRequest } from './protocols/read-body.ts'
export { inVendorWords, type OverflowWords } from './protocols/context-length.ts'
export {
  CLAMPED,
  reportUnsupported,
  tablesOf,
  WHOLE,
  type CitedBy,
  type MemberTable,
  type Reason,
  type ReasonsOf,
  type NodeTables,
} from './protocols/member-tables.ts'
export {
  createStreamDecoder,
  untypedEvent,
  type Decoded,
  type Head,
  type StreamReader,
} from './protocols/stream-decoder.ts'
export { rowsOf, type MemberOf, type Row, type Rows, type RowsOf, type Writing } from './protocols/rows.ts'
export { encodeTier, tierTerms, type TierWords } from './protocols/tier-words.ts'
export {
  decodeServing,
  decodeTerms,
  decodeTier,
  encodeServing,
  SERVING,
  decodeFormat,
  encodeNamed,
  unreadFormat,
  rateLimitHeaders,
  listModels,
  showModel,
} from './protocols/openai.ts'
export { decodeErrorObject, encodeErrorObject, readErrorObject, type ReadError } from './protocols/error-object.ts'
export {
  contentSites,
  listSites,
  siteTable,
  type Locate,
  type PathsOf,
  type Site,
  type SiteRules,
  type SiteTable,
} from './protocols/locate.ts'
export {
  admitJson,
  matchPath,
  pathsOf,
  readError,
  errorType,
  kindOfStatus,
  kindOfErrorType,
  STATUS_OF,
  statusError,
} from './protocols/http.ts'
export type { ErrorTypes } from './protocols/http.ts'
export { hasWebSearch, isWebSearch, peekPrice, peekBody, peekMaxTokens, whyNotRelayed } from './protocols/relay.ts'
export { createStreamEncoder, type AnswerWriter, type BlockWriter } from './protocols/stream-encoder.ts'
export { createTap, frameData, type FrameFacts, type TapRules } from './protocols/tap.ts'
export { createImageTap, type ImageFactsOf } from './protocols/image-tap.ts'
export { joinTexts, numbersOf, reportForeignInputs, unsupportedInput } from './protocols/embedding-inputs.ts'
export { noData, wireMedia } from './protocols/media-map.ts'
