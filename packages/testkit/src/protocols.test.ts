import { protocols } from '@dragoman/core/protocols'
import { describeProtocol } from './laws/describe-protocol.ts'
import { SUBJECT_OF } from './subjects/subject-of.ts'

for (const protocol of protocols) {
  const subject = SUBJECT_OF[protocol.name]
  if (subject === undefined) throw new Error(`no subject for ${protocol.name}: write one in subjects/`)
  describeProtocol(protocol, subject)
}
