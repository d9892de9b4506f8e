import type Anthropic from '@anthropic-ai/sdk'
import type {
  ChatChunk,
  ChatRequest,
  ChatResponse,
  GenaiRequest,
  GenaiResponse,
  MessagesEvent,
  MessagesRequest,
  MessagesResponse,
  ResponsesEvent,
  ResponsesRequest,
  ResponsesResponse,
} from '@dragoman/core'
import type {
  ChatEmbeddingAnswer,
  ChatEmbeddingRequest,
  ChatImageAnswer,
  ChatImageEdit,
  ChatImageEvent,
  ChatImageGeneration,
  EmbedContentRequest,
} from '@dragoman/core/media'
import type { genai } from '@dragoman/core/schemas'
import type * as Google from '@google/genai'
import type OpenAI from 'openai'

// The types that are compared. `read-types.ts` reads them with the compiler; nothing here runs.

/** A type of an SDK and the type of the grammar for it. */
interface Pair<Theirs, Ours> {
  readonly theirs: Theirs
  readonly ours: Ours
}

/** What the SDKs send and read, by protocol and part of it. */
export interface Wires {
  'chat request': Pair<OpenAI.ChatCompletionCreateParams, ChatRequest>
  'chat response': Pair<OpenAI.ChatCompletion, ChatResponse>
  'chat event': Pair<OpenAI.ChatCompletionChunk, ChatChunk>
  'chat image generation': Pair<OpenAI.ImageGenerateParams, ChatImageGeneration>
  'chat image edit': Pair<Without<OpenAI.ImageEditParams, Files>, ChatImageEdit>
  'chat image response': Pair<OpenAI.ImagesResponse, ChatImageAnswer>
  'chat image event': Pair<OpenAI.ImageGenStreamEvent | OpenAI.ImageEditStreamEvent, ChatImageEvent>
  'chat embedding request': Pair<OpenAI.EmbeddingCreateParams, ChatEmbeddingRequest>
  'chat embedding response': Pair<OpenAI.CreateEmbeddingResponse, ChatEmbeddingAnswer>
  'responses request': Pair<Params | BetaParams, ResponsesRequest>
  'responses response': Pair<OpenAI.Responses.Response | OpenAI.Beta.BetaResponse, ResponsesResponse>
  'responses event': Pair<OpenAI.Responses.ResponseStreamEvent | OpenAI.Beta.BetaResponseStreamEvent, ResponsesEvent>
  'responses counting': Pair<OpenAI.Responses.InputTokenCountParams, ResponsesRequest>
  'messages request': Pair<Without<MessagesParams, 'tools'>, MessagesRequest>
  'messages counting': Pair<Without<MessagesCounting, 'tools'>, MessagesRequest>
  'messages tool': Pair<OwnTool, MessagesTool>
  'messages inner block': Pair<InnerBlock, MessagesBlock>
  'messages response': Pair<Anthropic.Message | Anthropic.Beta.BetaMessage, MessagesResponse>
  'messages event': Pair<Anthropic.RawMessageStreamEvent | Anthropic.Beta.BetaRawMessageStreamEvent, MessagesEvent>
  'genai request': Pair<GenaiBody, GenaiRequest>
  'genai counting': Pair<Omit<Google.CountTokensConfig, ClientSide | 'systemInstruction'> & Contents, GenaiRequest>
  'genai response': Pair<Omit<Google.GenerateContentResponse, Getter>, GenaiResponse>
  'genai image request': Pair<ImageBody, GenaiImage>
  'genai video request': Pair<VideoBody, GenaiVideo>
  'genai embedding request': Pair<EmbedBody, EmbedContentRequest>
}

/** The models that the SDKs name, by vendor. */
export interface Models {
  openai:
    | OpenAI.ChatModel
    | OpenAI.ResponsesModel
    | OpenAI.Embeddings.EmbeddingModel
    | OpenAI.Images.ImageModel
    | OpenAI.Videos.VideoModel
  anthropic: Anthropic.Model | Anthropic.Beta.BetaManagedAgentsModel
  google: Google.Interactions.Model
}

/** Kinds of tools that the vendor defines, which have a kind and options of their own. */
export interface Tools {
  messages: Exclude<MessagesAnyTool, OwnTool>['type']
}

/** `Omit` would keep only the members that all kinds of a union have. */
type Without<Kind, Names extends string> = Kind extends unknown ? Omit<Kind, Names> : never

/** Files are data URLs in JSON. */
type Files = 'image' | 'mask'

type Params = OpenAI.Responses.ResponseCreateParams
type BetaParams = OpenAI.Beta.Responses.ResponseCreateParams

type MessagesParams = Anthropic.MessageCreateParams | Anthropic.Beta.Messages.MessageCreateParams
type MessagesCounting = Anthropic.MessageCountTokensParams | Anthropic.Beta.Messages.MessageCountTokensParams
type MessagesTool = NonNullable<MessagesRequest['tools']>[number]
type MessagesAnyTool = NonNullable<(MessagesParams | MessagesCounting)['tools']>[number]
type OwnTool = Extract<MessagesAnyTool, { input_schema: unknown }>
/** Blocks inside a block are checked by the same grammar, but their type ends there. */
type MessagesBlock = Exclude<MessagesRequest['messages'][number]['content'], string | undefined>[number]
type Listed<Content> = Extract<Content, readonly unknown[]>[number]
type InnerBlock =
  | Listed<Anthropic.ToolResultBlockParam['content']>
  | Listed<Anthropic.Beta.BetaToolResultBlockParam['content']>
  | Listed<Anthropic.ContentBlockSource['content']>
  | Listed<Anthropic.SearchResultBlockParam['content']>

interface Contents {
  contents: Google.Content[]
}
/** The body that the SDK writes: it divides `config` between the body and `generationConfig`. */
type GenaiBody = Pick<Google.GenerateContentConfig, TopLevel> &
  Contents & {
    systemInstruction?: Google.Content
    tools?: Google.Tool[]
    generationConfig?: Google.GenerationConfig & Omit<Google.GenerateContentConfig, TopLevel | ClientSide | Rewritten>
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
/** The SDK computes these members from the others. */
type Getter = 'text' | 'data' | 'functionCalls' | 'executableCode' | 'codeExecutionResult' | 'initialPromptTokenCount'

type GenaiImage = (typeof genai)['image']['_zod']['output']
type GenaiVideo = (typeof genai)['video']['_zod']['output']
/** The SDK writes its options under the names of the API, and some of them beside the parameters. */
type Renamed<Config, Names extends { readonly [name: string]: string }> = {
  [Name in keyof Config as Name extends keyof Names ? Names[Name] : Name]: Config[Name]
}
interface ImageBody extends Pick<Google.GenerateImagesConfig, 'labels'> {
  instances: [{ prompt: string }]
  parameters?: Renamed<
    Omit<Google.GenerateImagesConfig, ClientSide | 'labels' | 'outputMimeType' | 'outputCompressionQuality'>,
    {
      outputGcsUri: 'storageUri'
      numberOfImages: 'sampleCount'
      safetyFilterLevel: 'safetySetting'
      imageSize: 'sampleImageSize'
    }
  >
}
interface VideoBody extends Pick<Google.GenerateVideosConfig, 'labels' | 'webhookConfig'> {
  instances: [
    Pick<Google.GenerateVideosParameters, 'prompt'> & { [Name in VideoInput]?: Image } & {
      referenceImages?: { image: Image; referenceType?: Google.VideoGenerationReferenceType }[]
    },
  ]
  parameters?: Renamed<
    Omit<Google.GenerateVideosConfig, ClientSide | 'labels' | 'webhookConfig' | 'referenceImages' | VideoInput>,
    { outputGcsUri: 'storageUri'; numberOfVideos: 'sampleCount' }
  >
}
type VideoInput = 'image' | 'video' | 'lastFrame' | 'mask'
interface Image {
  bytesBase64Encoded?: string
  gcsUri?: string
  mimeType?: string
}
interface EmbedBody {
  content: Google.Content
  embedContentConfig?: Omit<Google.EmbedContentConfig, ClientSide>
}
