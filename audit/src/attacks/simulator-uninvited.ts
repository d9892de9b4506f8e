import type { Scenario } from '../scenario.ts'

export const simulatorUninvited: Scenario = {
  name: 'simulator-uninvited',
  attack: 'A server with configured providers is asked for its models, and for the simulator.',
  rule: 'With a provider configured, the simulator is there only if asked for.',
  before: 'nine models of the simulator were listed and served',
  async run({ start, check }) {
    const models = async (server: { readonly url: string }): Promise<string> =>
      (await fetch(`${server.url}/api/v1/models`)).text()
    const without = await models(await start())
    check('it is not there by default', !without.includes('"sim/'), without.match(/"sim\/[\w-]+"/g)?.length ?? 0)
    const asked = await models(await start({ config: { providers: { sim: true } } }))
    check('it is there if asked for', asked.includes('"sim/'))
    // What its greeting shows must work.
  },
}
