import { protocols } from '@dragoman/core/protocols'
import { describeLinear } from './laws/describe-linear.ts'
import { SHAPES_OF } from './shapes/shapes-of.ts'

for (const protocol of protocols) {
  const shapes = SHAPES_OF[protocol.name]
  if (shapes === undefined) throw new Error(`no shapes for ${protocol.name}: write them in shapes/`)
  describeLinear(protocol, shapes)
}
