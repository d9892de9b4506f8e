// Providers: definitions, cards, quirks and transports, for code that writes or calls a provider. The converters need only `index.ts`.
export { applyQuirks, prepareQuirks, decodeRenames, encodeRenames } from './ir/apply-quirks.ts'
export type { Quirked } from './ir/apply-quirks.ts'
export { ABOUT_FEATURE, FEATURES, lostFeatures } from './ir/feature.ts'
export { findFeatures } from './ir/find-features.ts'
export { dialectOf, isPattern } from './ir/model.ts'
export type { Card, CardSource, Chooser, Price, TermPrices } from './ir/model.ts'
export type { Modality } from './ir/part.ts'
export type { AppliedQuirks, Quirk, RequestQuirks } from './ir/quirk.ts'
export { fillLinks, findLinks, type FindFile, type Link, type LinkedFile, type LinkOptions } from './protocols/links.ts'
export { decodeBase64, base64Problem } from './lib/base64.ts'
export { decodeBytes, encodeBytes } from './lib/base64-bytes.ts'
export type { DataUrl } from './lib/data-url.ts'
export { joinBytes } from './lib/frames.ts'
export { unfold, type CutText } from './ir/unfold.ts'
export { didYouMean, nearNames } from './lib/near.ts'
export type { Check } from './lib/check-value.ts'
export { billedVideo } from './provider/quantities.ts'
export {
  catalogueOf,
  enableProviders,
  listOf,
  modelsIn,
  readEnvironment,
  variableName,
  unknownVariables,
} from './provider/environment.ts'
export type { Catalogues, Environment, KnownVariables } from './provider/environment.ts'
export { refuseChoosers } from './provider/choosers.ts'
export { ceilingOf, costOf, sidesOf, type Cost, type CostItem, type CostName } from './provider/cost.ts'
export type { Billed } from './ir/billed.ts'
export { encodeMultipart, readContent, joinBody, lengthOf } from './provider/transport.ts'
export type {
  Multipart,
  Bytes,
  Call,
  Deadlines,
  Failure,
  Fields,
  Flow,
  Method,
  OutgoingBody,
  Receiver,
  Transport,
  Clock,
} from './provider/transport.ts'
export { failureError, sendWhole } from './provider/whole-answer.ts'
export type { SendOptions, WholeAnswer } from './provider/whole-answer.ts'
export type { Drivers, ImageDriver, Upstream, VideoDriver, VideoFile } from './provider/media.ts'
export { readModelList, defineProvider, factoryOf } from './provider/provider.ts'
export type { Outbound, Provider } from './provider/provider.ts'
export {
  wrongOption,
  type CatalogueFacts,
  type CatalogueModels,
  type ExtraModel,
  type ProviderOptions,
} from './provider/options.ts'
export { BEARER, type Auth, type EnvironmentNames, type ProviderDefinition } from './provider/definition.ts'
export { OWN, ownApi, reportImageExtras } from './provider/own-api.ts'
export { downloadImage, imageData, imageUrl, collectImages } from './provider/driver-images.ts'
export type { ImageResults } from './provider/driver-images.ts'
export { priceVersion, perCount, perMegapixel, perSecond, usd, when } from './provider/prices.ts'
export type { ItemPrice } from './provider/prices.ts'
export { quirkObstacle, BUDGET_AS_EFFORT, effortQuirks, MAX_TOKENS, THINKING_TYPE } from './provider/quirks.ts'
export { createRedact, redactError, secretsOf, type Redact } from './provider/credentials.ts'
export { readBody, type Submission, type TaskApi, type TaskContext } from './provider/task-api.ts'
export {
  imageTasks,
  videoTasks,
  type ImageTasks,
  type VideoPath,
  type VideoResults,
  type VideoTasks,
} from './provider/task-drivers.ts'
export { runTask, type Task, type TaskStep } from './provider/task.ts'
