import { measure } from '../measure.ts'
import { describeMachine, fixed, formatTable } from '../table.ts'
import { createCases } from './cases.ts'

/** Prints what the translation of a full batch of embeddings costs, compared with its JSON. */
export async function printEmbeddings(pace: 'quick' | 'full'): Promise<void> {
  console.log(await describeMachine())
  const size = pace === 'quick' ? { inputs: 256, dimensions: 1536 } : { inputs: 2048, dimensions: 3072 }
  const options = { rounds: pace === 'quick' ? 3 : 7, batchMs: 200, warmUp: { windowMs: 300, least: 2, most: 4 } }
  const rows = createCases(size).map(({ name, floor, translate, bytes }) => {
    const { micros, ratios } = measure([floor, translate], options)
    const [json = 0, whole = 0] = micros
    return [name, fixed(bytes / 1e6, 1), fixed(json / 1000, 1), fixed(whole / 1000, 1), fixed(ratios[1] ?? 0, 2)]
  })
  const title = `Embeddings: ${size.inputs} inputs, ${size.dimensions} dimensions`
  console.log(formatTable(title, ['batch', 'MB', 'JSON ms', 'translated ms', 'ratio'], rows))
}
