import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request of an exporter. */
export interface Export {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** A span in the JSON of OTLP, with plain attributes. */
export interface CollectedSpan {
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly status: { readonly code: number }
  readonly attributes: { readonly [key: string]: unknown }
  readonly resource: { readonly [key: string]: unknown }
}

/** A data point in the JSON of OTLP, with plain attributes. */
export interface CollectedPoint {
  readonly attributes: { readonly [key: string]: unknown }
  readonly asDouble?: number
  readonly sum?: number
  readonly count?: number
  readonly explicitBounds?: readonly number[]
}

/** A collector of OpenTelemetry on a real socket, for OTLP over HTTP. */
export interface Collector {
  readonly url: string
  readonly exports: readonly Export[]
  /** The status of its answers. */
  status: number
  /** Spans in JSON that have arrived. */
  spans(): readonly CollectedSpan[]
  /** The points of the last export in JSON of a metric. */
  points(metric: string): readonly CollectedPoint[]
  /** Resolves when `find` returns a value, now or after an export. */
  until<T>(find: () => T | undefined): Promise<T>
  close(): void
}

export async function startCollector(): Promise<Collector> {
  const exports: Export[] = []
  const watchers = new Set<() => void>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      exports.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) })
      response.writeHead(collector.status, { 'content-type': 'application/json' }).end('{}')
      for (const watcher of watchers) watcher()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on TCP
  const bodies = (path: string): readonly Wire[] =>
    exports
      .filter((each) => each.path === path && each.headers['content-type'] === 'application/json')
      .map(({ body }) => JSON.parse(body.toString()) as Wire)
  const collector: Collector = {
    url: `http://127.0.0.1:${port}`,
    exports,
    status: 200,
    spans: () => bodies('/v1/traces').flatMap(spansOf),
    points(name) {
      const metrics = bodies('/v1/metrics').map((body) =>
        (body.resourceMetrics ?? []).flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics)),
      )
      const found = metrics.at(-1)?.find((metric) => metric.name === name)
      const points = found?.histogram?.dataPoints ?? found?.sum?.dataPoints ?? found?.gauge?.dataPoints ?? []
      return points.map((point) => ({ ...point, attributes: plain(point.attributes) }))
    },
    until: (find) =>
      new Promise((resolve) => {
        const watcher = (): void => {
          const found = find()
          if (found === undefined) return
          watchers.delete(watcher)
          resolve(found)
        }
        watchers.add(watcher)
        watcher()
      }),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return collector
}

/** The JSON of OTLP, as far as the tests read it. */
interface Wire {
  readonly resourceSpans?: readonly {
    readonly resource: { readonly attributes: readonly WireAttribute[] }
    readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[]
  }[]
  readonly resourceMetrics?: readonly {
    readonly scopeMetrics: readonly { readonly metrics: readonly WireMetric[] }[]
  }[]
}

type WireSpan = Omit<CollectedSpan, 'attributes' | 'resource'> & { readonly attributes: readonly WireAttribute[] }
type WirePoints = { readonly dataPoints: readonly (Omit<CollectedPoint, 'attributes'> & WireAttributes)[] }

interface WireMetric {
  readonly name: string
  readonly histogram?: WirePoints
  readonly sum?: WirePoints
  readonly gauge?: WirePoints
}

interface WireAttributes {
  readonly attributes: readonly WireAttribute[]
}

interface WireAttribute {
  readonly key: string
  readonly value: WireValue
}

interface WireValue {
  readonly arrayValue?: { readonly values: readonly WireValue[] }
  readonly [type: string]: unknown
}

function spansOf({ resourceSpans = [] }: Wire): readonly CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({ ...span, attributes: plain(span.attributes), resource: plain(resource.attributes) })),
    ),
  )
}

function plain(attributes: readonly WireAttribute[]): { readonly [key: string]: unknown } {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, valueOf(value)]))
}

function valueOf(value: WireValue): unknown {
  return value.arrayValue === undefined ? Object.values(value)[0] : value.arrayValue.values.map(valueOf)
}
