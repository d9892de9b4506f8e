import type { ServerRecord } from './admin.ts'
import type { Server } from './start-server.ts'
import { until } from './until.ts'

/** Waits until the server has this many records, and returns them. */
export async function settled(server: Server, many: number): Promise<readonly ServerRecord[]> {
  await until(`${many} records`, async () => (await server.admin.records()).length >= many, 200)
  return server.admin.records()
}

/** The record of a call, by its id. */
export async function recordOf(server: Server, id: string): Promise<ServerRecord> {
  let found: ServerRecord | undefined
  await until('the record', async () => {
    found = (await server.admin.records()).find((record) => record.id === id)
    return found !== undefined
  })
  if (found === undefined) throw new Error('There is no record.')
  return found
}
