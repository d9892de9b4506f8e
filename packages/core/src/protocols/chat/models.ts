import { listModels, showModel } from '../model-list.ts'
import type { ModelsCodec } from '../protocol.ts'

export const models: ModelsCodec = { list: listModels, one: showModel }
