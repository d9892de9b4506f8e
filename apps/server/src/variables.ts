/**
 * The variables of the environment that the server reads itself. Those of providers are in their packages, under `/environment`; those
 * of proxies are the usual ones.
 */
export const VARIABLES = {
  host: 'HOST',
  port: 'PORT',
  config: 'DRAGOMAN_CONFIG',
  data: 'DRAGOMAN_DATA',
  keys: 'DRAGOMAN_KEYS',
  sealingKeys: 'DRAGOMAN_SEALING_KEYS',
  publicUrl: 'DRAGOMAN_PUBLIC_URL',
  cors: 'DRAGOMAN_CORS',
  log: 'DRAGOMAN_LOG',
  metricsHost: 'DRAGOMAN_METRICS_HOST',
  metricsPort: 'DRAGOMAN_METRICS_PORT',
  grace: 'DRAGOMAN_GRACE_SECONDS',
  drain: 'DRAGOMAN_DRAIN_SECONDS',
  unsupportedFields: 'DRAGOMAN_UNSUPPORTED_FIELDS',
  modelLists: 'DRAGOMAN_MODEL_LISTS',
  downloads: 'DRAGOMAN_DOWNLOADS',
  itemMemory: 'DRAGOMAN_ITEM_MEMORY',
  store: 'DRAGOMAN_STORE',
  databaseUrl: 'DRAGOMAN_DATABASE_URL',
  redisUrl: 'DRAGOMAN_REDIS_URL',
  trustedProxies: 'DRAGOMAN_TRUSTED_PROXIES',
  sim: 'DRAGOMAN_SIM',
  ollama: 'DRAGOMAN_OLLAMA',
  /** A variable of Ollama itself. */
  ollamaHost: 'OLLAMA_HOST',
} as const
