import type { HeadOperation } from '../pipeline/operation.ts'

/** Describes a base. Some clients ask for it before their first call, to see whether the address is right. */
export const base: HeadOperation = {
  name: 'base',
  body: 'none',
  codec: 'http',
  needsKey: false,
  metered: 'nothing',
  run({ protocols }, { protocol, answer }) {
    const { base: path } = protocol.http
    const names = protocols.filter(({ http }) => http.base === path).map(({ name }) => name)
    answer.json(200, { name: 'dragoman', about: 'An LLM gateway.', base: path, protocols: names })
  },
}
