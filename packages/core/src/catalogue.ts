// Signed catalogues: facts and prices of models that an operator refreshes without a release.
export { readCatalogue, openCatalogue, staleness } from './catalogue/open-catalogue.ts'
export type { Catalogue, OpenedCatalogue, OpenOptions } from './catalogue/open-catalogue.ts'
export { isEnvelope, readCatalogueKey } from './catalogue/envelope.ts'
export type { CatalogueKey } from './catalogue/envelope.ts'
export { createCatalogueKeys, signCatalogue, type CatalogueKeyPair } from './catalogue/sign-catalogue.ts'
