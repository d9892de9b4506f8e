// Providers: definitions, cards, quirks and transports, for code that writes or calls a provider. The converters need only `index.ts`.
export { applyQuirks, prepareQuirks, decodeRenames, encodeRenames } from './ir/apply-quirks.ts'
export type { Quirked } from './ir/apply-quirks.ts'
export { ABOUT_FEATURE, FEATURES, lostFeatures } from './ir/feature.ts'
export { findFeatures } from './ir/find-features.ts'
export {
  dialectOf,
  type Card,
  type CardSource,
  type Chooser,
  type Modality,
  type Price,
  type TermPrices,
} from './ir/model.ts'
export type { AppliedQuirks, Quirk, RequestQuirks } from './ir/quirk.ts'
export { fillLinks, findLinks, type FindFile, type Link, type LinkedFile, type LinkOptions } from './protocols/links.ts'
export { decodeBase64, base64Problem } from './lib/base64.ts'
export { decodeBytes, encodeBytes } from './lib/base64-bytes.ts'
export type { DataUrl } from './lib/data-url.ts'
export { joinBytes } from './lib/frames.ts'
export { unfold, type CutText } from './ir/unfold.ts'
export { didYouMean, nearNames } from './lib/near.ts'
export { MEDIA_FORMS, MEDIA_WORDS } from './provider/check-media-facts.ts'
export { billedVideo } from './provider/quantities.ts'
export { isPattern } from './provider/pattern.ts'
export {
  catalogueOf,
  enableProviders,
  listOf,
  modelsIn,
  readEnvironment,
  variableName,
  type Catalogues,
  type Environment,
} from './provider/environment.ts'
export { refuseChoosers } from './provider/choosers.ts'
export { unknownVariables, type KnownVariables } from './provider/unknown-variables.ts'
export { ceilingOf, costOf, sidesOf, type Cost, type CostItem, type CostName } from './provider/cost.ts'
export type { Billed } from './provider/quantities.ts'
export { encodeMultipart, readContent, type Multipart } from './provider/content.ts'
export { failureError } from './provider/failure.ts'
export type { Drivers, ImageDriver, Upstream, VideoDriver, VideoFile } from './provider/media.ts'
export { readModelList } from './provider/model-list.ts'
export {
  wrongOption,
  type CatalogueFacts,
  type CatalogueModels,
  type ExtraModel,
  type ProviderOptions,
} from './provider/options.ts'
export { BEARER, type Auth, type EnvironmentNames, type ProviderDefinition } from './provider/definition.ts'
export { OWN, ownApi, reportImageExtras } from './provider/own-api.ts'
export { downloadImage, imageData, imageUrl } from './provider/image-source.ts'
export { priceVersion, perCount, perMegapixel, perSecond, usd, when } from './provider/prices.ts'
export type { ItemPrice } from './provider/prices.ts'
export { defineProvider, factoryOf, type Outbound, type Provider } from './provider/provider.ts'
export { quirkObstacle, BUDGET_AS_EFFORT, effortQuirks, MAX_TOKENS, THINKING_TYPE } from './provider/quirks.ts'
export { createRedact, redactError, secretsOf, type Redact } from './provider/redact.ts'
export { collectImages, type ImageResults } from './provider/collect-images.ts'
export { readBody, type Submission, type TaskApi, type TaskContext } from './provider/task-api.ts'
export {
  imageTasks,
  videoTasks,
  type ImageTasks,
  type VideoPath,
  type VideoResults,
  type VideoTasks,
} from './provider/task-drivers.ts'
export type { Clock } from './provider/clock.ts'
export { runTask, type Task, type TaskStep } from './provider/task.ts'
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
