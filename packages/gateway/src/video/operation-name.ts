import { ownerIdOf } from '../callers/admit.ts'
import { DragomanError, type Protocol } from '@dragoman/core'
import type { VideoCodec } from '@dragoman/core/media'
import type { Caller } from '../ports/ports.ts'
import type { Sealing } from '../sealing/sealing.ts'
import type { Settings } from '../call/settings.ts'
import { readTask, writeTask, type VideoTask } from './video-task.ts'

/** A new name of an operation, bound to its owner and to the model that was asked for. */
export async function writeName(
  sealing: Sealing,
  codec: VideoCodec,
  caller: Caller | undefined,
  model: string,
  task: VideoTask,
): Promise<string> {
  return codec.writeName(model, await sealing.seal(purposeOf(caller, model), writeTask(task)))
}

/**
 * The task of an operation. `asked` are the names of the model in the path. The error is the same for a name that was changed, that
 * belongs to another owner or to another model, or that this gateway has never given: it shows nothing about other operations.
 */
export async function readName(
  sealing: Sealing,
  codec: VideoCodec,
  caller: Caller | undefined,
  asked: readonly string[],
  name: string,
): Promise<VideoTask> {
  const parts = codec.readName(name)
  if (parts === undefined)
    throw new DragomanError('invalid-request', `${codec.nameSite}: is not the name of an operation.`, {
      param: codec.nameSite,
    })
  const { model, id } = parts
  const opened = await sealing.open(purposeOf(caller, model), id)
  const task = opened === undefined ? undefined : readTask(opened)
  if (task === undefined || !isAsked(model, asked))
    throw new DragomanError('not-found', 'The operation does not exist, or it belongs to another key or model.', {
      param: codec.nameSite,
    })
  return task
}

function purposeOf(caller: Caller | undefined, model: string): readonly [string, string, string] {
  return ['operation', ownerIdOf(caller), model]
}

/** A path may leave out the provider. */
function isAsked(model: string, asked: readonly string[]): boolean {
  return asked.some((each) => each === model || each === model.slice(model.indexOf('/') + 1))
}

/** The sealing of this gateway. Throws an error that says how to configure it. */
export function sealingOf({ sealing, sealingAt }: Settings): Sealing {
  if (sealing !== undefined) return sealing
  const message = `This gateway has no sealing key, which videos need. An operator can set one: ${sealingAt}.`
  throw new DragomanError('unavailable', message, { retry: false })
}

/** The codec of a protocol. Operations are refused before if it has none. */
export function codecOf({ video, name }: Protocol): VideoCodec {
  if (video === undefined) throw new DragomanError('not-found', `The protocol ${name} has no videos.`)
  return video
}
