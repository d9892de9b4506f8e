import { protocols } from '@dragoman/core/protocols'
import { describeImages } from './laws/describe-images.ts'
import { IMAGES_OF } from './subjects/images-of.ts'

for (const protocol of protocols.filter(({ image }) => image !== undefined)) {
  const subject = IMAGES_OF[protocol.name]
  if (subject !== undefined) describeImages(protocol, subject)
}
