import { listModels, showModel } from '../openai.ts'
import type { ModelsCodec } from '../protocol.ts'

export const models: ModelsCodec = { list: listModels, one: showModel }
