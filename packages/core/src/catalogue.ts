// Signed catalogues: facts and prices of models that an operator refreshes without a release.
export { readCatalogue, type Catalogue } from './catalogue/check-catalogue.ts'
export { isEnvelope } from './catalogue/envelope.ts'
export { openCatalogue, staleness, type OpenedCatalogue, type OpenOptions } from './catalogue/open-catalogue.ts'
export { readCatalogueKey, type CatalogueKey } from './catalogue/public-key.ts'
export { createCatalogueKeys, signCatalogue, type CatalogueKeyPair } from './catalogue/sign-catalogue.ts'
