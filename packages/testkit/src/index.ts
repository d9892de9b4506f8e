export { allRecords, checkBooks, type Run } from './accounts/check-books.ts'
export { createChatDouble } from './doubles/chat.ts'
export { acceptChatResponse, acceptChatStream } from './doubles/chat-answer.ts'
export { acceptChatRequest } from './doubles/chat-request.ts'
export {
  acceptBatchEmbed,
  acceptChatEmbeddings,
  acceptChatEmbeddingAnswer,
  acceptEmbedContent,
  acceptGenaiEmbeddingAnswer,
  acceptPredictEmbed,
} from './doubles/embedding.ts'
export { createGenaiDouble } from './doubles/genai.ts'
export { acceptGenaiResponse, acceptGenaiStream } from './doubles/genai-answer.ts'
export { acceptPredictRequest, acceptPredictImagesAnswer } from './doubles/genai-predict.ts'
export { acceptGenaiRequest } from './doubles/genai-request.ts'
export { createImagesDouble } from './doubles/images.ts'
export { acceptImageAnswer, acceptImageStream } from './doubles/images-answer.ts'
export { acceptFormEdit, acceptGeneration, acceptJsonEdit } from './doubles/images-request.ts'
export { createMessagesDouble } from './doubles/messages.ts'
export { acceptMessagesResponse, acceptMessagesStream } from './doubles/messages-answer.ts'
export { acceptMessagesRequest } from './doubles/messages-request.ts'
export { pngOf } from './doubles/png.ts'
export { createPredictDouble, type ImageRules } from './doubles/predict.ts'
export { readChat, readGenai, readMessages, readResponses, type ReceivedRequest } from './doubles/received-request.ts'
export { createResponsesDouble } from './doubles/responses.ts'
export { acceptResponsesResponse, acceptResponsesStream } from './doubles/responses-answer.ts'
export { acceptResponsesRequest } from './doubles/responses-request.ts'
export type {
  Answer,
  AnswerPart,
  AnswerUsage,
  ErrorDetail,
  Failure,
  Raw,
  Script,
  Sending,
  Turn,
} from './doubles/script.ts'
export type { Double, Received, ReceivedFile } from './doubles/server.ts'
export { brokenText } from './gateway/broken-text.ts'
export { ALLOWED_ORIGIN, describeGateway, type RunningGateway } from './gateway/describe-gateway.ts'
export { imageAnswer, imageRequest, imageStream } from './generators/image.ts'
export { request } from './generators/request.ts'
export { response } from './generators/response.ts'
export { eventsOf, foldOf, stream } from './generators/stream.ts'
export type { World } from './generators/world.ts'
export { describeImages } from './laws/describe-images.ts'
export type { ImageSubject, WireImageStream } from './laws/image-subject.ts'
export { describeLinear } from './laws/describe-linear.ts'
export { describeProtocol } from './laws/describe-protocol.ts'
export { apply } from './laws/honesty.ts'
export { normal, same } from './laws/same.ts'
export type { Subject, WireStream } from './laws/subject.ts'
export { codeBlocks, writeBlock, type CodeBlock } from './provider/code-blocks.ts'
export { describeProvider } from './provider/describe-provider.ts'
export { createDriverUpstream, type DriverUpstream, type DriverUpstreamOptions } from './provider/driver-upstream.ts'
export { describeParameters, type MediaSubject, type ParameterRow } from './provider/media-parameters.ts'
export { CHAT_DONE, chatAnswer, chatChunk, chatDeltas, chatEnd } from './provider/scripts/chat.ts'
export type { AnswerCase, ProviderSubject, RequestCase, ScriptedAnswer } from './provider/subject.ts'
export { createScriptedUpstream, type ScriptedUpstream, type SeenCall } from './provider/upstream.ts'
export type { Shapes } from './shapes/shapes.ts'
export { IMAGES_OF } from './subjects/images-of.ts'
export { SUBJECT_OF } from './subjects/subject-of.ts'
