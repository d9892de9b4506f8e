import { DragomanError, type Match, type Protocol } from '@dragoman/core'
import type { SentForm } from '../bodies/form-parts.ts'
import { present, type RequestWork, type WorkOptions } from '../bodies/request-work.ts'
import { prepareFor } from '../operations/prepare-for.ts'
import type { JsonOperation, MixedOperation, OperationCall } from '../operations/operation.ts'
import type { Route } from '../route.ts'
import type { Next } from '../routing/next.ts'
import { readMediaForm, readMediaJson, type MediaBody } from './media-body.ts'
import type { KindOf, MediaKind } from './media-kind.ts'
import type { MediaFacts } from './media-work.ts'

export interface MediaOperationOptions {
  /** The name that protocols use in `Match.operation`. */
  readonly name: string
  /** The member of a protocol with the codec. */
  readonly codec: keyof Protocol
  /** The kinds of media that its calls can be. */
  readonly kinds: readonly MediaKind[]
  /** Chooses one of them; by default the first. */
  readonly kindOf?: KindOf
}

/**
 * An operation for media that one JSON body asks for. Its calls are routed, tried again, limited, metered and explained like those of
 * conversations.
 */
export function mediaOperation(options: MediaOperationOptions): JsonOperation<MediaFacts> {
  return { ...sharedParts(options), body: 'json' }
}

/** The same for a body that can also be a form. */
export function formOperation(options: MediaOperationOptions): MixedOperation<MediaFacts> {
  const { kinds } = options
  return {
    ...sharedParts(options),
    body: 'json or multipart',
    createFormWork: (inbound, match, form, given) => createFormWork(present(kinds[0]), inbound, match, form, given),
  }
}

function sharedParts({ name, codec, kinds, kindOf }: MediaOperationOptions): Omit<JsonOperation<MediaFacts>, 'body'> {
  const find = (wanted: string): MediaKind => {
    const kind = kinds.find((each) => each.name === wanted)
    if (kind === undefined) throw new DragomanError('internal', `${name} has no calls of the kind ${wanted}.`)
    return kind
  }
  const choose: KindOf = kindOf ?? (() => present(kinds[0]))
  return {
    name,
    codec,
    needsKey: true,
    metered: 'usage',
    serves: (route: Route, _inbound: Protocol, body: MediaFacts) => find(body.kind).serves(route),
    createWork: (inbound, match, bytes, options) => createJsonWork(choose, inbound, match, bytes, options),
    ask(call: OperationCall<MediaFacts>, route: Route, next: Next) {
      prepareFor(call, route, next, (prepared) => find(call.body.kind).ask(call, route, prepared, next))
    },
  }
}

function createJsonWork(
  kindOf: KindOf,
  inbound: Protocol,
  match: Match,
  bytes: Uint8Array,
  options: WorkOptions,
): RequestWork<MediaFacts> {
  return lateWork(bytes, (source, open) => {
    const body = readMediaJson(source, inbound.request.history, options)
    return open(kindOf(body.json, inbound).createWork(inbound, match, body, options))
  })
}

function createFormWork(
  kind: MediaKind,
  inbound: Protocol,
  match: Match,
  form: SentForm,
  options: WorkOptions,
): RequestWork<MediaFacts> {
  const forms = kind.formOf(inbound)
  if (forms === undefined) throw new DragomanError('media-type', 'The content-type header must be application/json.')
  const start = (body: MediaBody): RequestWork<MediaFacts> => kind.createWork(inbound, match, body, options)
  return lateWork(form, async (source, open) => open(start(await readMediaForm(source, forms, options))))
}

type Facts = MediaFacts | Promise<MediaFacts>

/** Work whose kind is known only when the body has been read. */
function lateWork<Source>(
  given: Source,
  read: (source: Source, open: (work: RequestWork<MediaFacts>) => Facts) => Facts,
): RequestWork<MediaFacts> {
  let source: Source | undefined = given
  let work: RequestWork<MediaFacts> | undefined
  return {
    read() {
      const held = present(source)
      source = undefined
      return read(held, (opened) => {
        work = opened
        return opened.read()
      })
    },
    prepare: (route) => present(work).prepare(route),
    supply: (files) => present(work).supply?.(files),
    close() {
      source = undefined
      work?.close()
      work = undefined
    },
  }
}
