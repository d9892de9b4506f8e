// Calls that are not conversations: images, videos and embeddings. Converters of conversations are in `index.ts`.
export type {
  DrawnImage,
  ImageAnswer,
  ImageDelivery,
  ImageEvent,
  ImageFacts,
  ImageLook,
  ImageMask,
  ImageOption,
  ImageRequest,
  ImageSettings,
  ReferenceImage,
  SizeRule,
} from './ir/image.ts'
export { countWithin, addUsage, countsExpected } from './ir/usage.ts'
export { reportVideoExtras } from './ir/foreign-extras.ts'
export { fitVideo } from './ir/fit-video.ts'
export type {
  BlockedVideos,
  GeneratedVideo,
  NumberRange,
  VideoFacts,
  VideoFailure,
  VideoFrame,
  VideoOperation,
  VideoOption,
  VideoReference,
  VideoRequest,
  VideoSettings,
  VideoState,
} from './ir/video.ts'
export { createImageFold, imageEvents, type ImageFold } from './ir/image-fold.ts'
export { drawnImages, imageConversation } from './ir/image-conversation.ts'
export { fitImage } from './ir/fit-image.ts'
export { replaceLinkedFrames, replaceLinkedImages, type LinkedSource, type ReplaceSource } from './ir/linked-media.ts'
export { refuseLostImages } from './ir/refuse.ts'
export { locateIn } from './protocols/locate.ts'
export { reportLosses } from './protocols/reported-loss.ts'
export type {
  EmbeddingAnswer,
  EmbeddingFacts,
  EmbeddingInput,
  EmbeddingOptions,
  EmbeddingParts,
  EmbeddingRequest,
  EmbeddingText,
  EmbeddingTokens,
  Embedding,
} from './ir/embedding.ts'
export { fitEmbedding } from './ir/fit-embedding.ts'
export type { EmbeddingBrief } from './ir/embedding-kind.ts'
export type { VideoBrief } from './ir/video-kind.ts'
export { billImageCount } from './ir/image-kind.ts'
export {
  factsOf,
  KINDS,
  mediaKinds,
  ownKind,
  type AnswerOf,
  type CardFacts,
  type MediaKinds,
  type RequestOf,
} from './ir/media-kinds.ts'
export type { MediaFit, MediaKind, MediaRequest, RequestedMedia } from './ir/media-kind.ts'
export { decodeFloats, encodeFloats } from './lib/float32.ts'
export {
  decodeMedia,
  decodeTurn,
  encodeMedia,
  isSameRequest,
  joinMedia,
  locateFor,
  splitMedia,
  streamOf,
  translateMediaAnswer,
  translateMediaRequest,
  writeMedia,
  writingMedia,
  type OwnLosses,
  type MediaAnswerFacts,
  type MediaAnswerOptions,
  type MediaTranslateOptions,
  type TranslatedMedia,
  type TranslatedMediaAnswer,
} from './protocols/translate-media.ts'
export { translateImageStream, writeImageStream } from './protocols/translate-image-stream.ts'
export type { ImageAnswerStream } from './protocols/image-answer-stream.ts'
export { codecOf, findCodec } from './protocols/media.ts'
export type {
  FormCodec,
  ImageCodec,
  MediaCall,
  MediaCodec,
  MediaCodecs,
  MediaProtocol,
  MediaDecoding,
  MediaEncoding,
  VideoCodec,
  VideoPoll,
} from './protocols/media.ts'
export type {
  WireEdit as ChatImageEdit,
  WireGeneration as ChatImageGeneration,
  WireImageAnswer as ChatImageAnswer,
  WireImageEvent as ChatImageEvent,
} from './protocols/chat/image-schema.ts'
export type { ChatEmbeddingAnswer, ChatEmbeddingRequest } from './protocols/chat/embedding-schema.ts'
export type { EmbedContentRequest } from './protocols/genai/embedding-schema.ts'
