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
export { countWithin, addUsage } from './ir/usage.ts'
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
  EmbeddingAbility,
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
export { fitEmbedding, splitEmbedding, type EmbeddingFit } from './ir/fit-embedding.ts'
export { joinEmbeddings } from './ir/embedding.ts'
export { decodeFloats, encodeFloats } from './lib/float32.ts'
export {
  fitEmbeddingRequest,
  translateEmbeddingAnswer,
  translateEmbeddingRequest,
  type EmbeddingAnswerFacts,
  type EmbeddingAnswerOptions,
  type EmbeddingProtocol,
  type EmbeddingTranslateOptions,
  type FittedEmbedding,
  type TranslatedEmbedding,
  type TranslatedEmbeddings,
} from './protocols/translate-embedding.ts'
export {
  translateImageAnswer,
  translateImageRequest,
  translateImageStream,
  writeImageStream,
  type ImageAnswerFacts,
  type ImageAnswerOptions,
  type ImageProtocol,
  type ImageTranslateOptions,
  type TranslatedImageRequest,
  type TranslatedImages,
} from './protocols/translate-image.ts'
export type { ImageAnswerStream } from './protocols/image-answer-stream.ts'
export type { EmbeddingCodec } from './protocols/embedding-codec.ts'
export type {
  FormCodec,
  ImageCodec,
  MediaCall,
  MediaCodec,
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
