import { z } from 'zod'

/** An ETag such as `"65f0…"`, weak, or without its quotes. */
const TAG = String.raw`(?:W/)?"[^"]*"|(?!\*|W/)[^\s",]+`

const IF_MATCH = new RegExp(String.raw`^(?:\*|(?:${TAG})(?:[ \t]*,[ \t]*(?:${TAG}))*)$`)

/** The header by which a write requires that the resource has not changed since the client read it. */
export const IfMatchHeaders = z.object({
  'if-match': z
    .string()
    .regex(IF_MATCH, 'should be * or the ETag of a response, such as "65f0c0ffee0123456789abcd"')
    .optional()
    .meta({
      description:
        'Fails with 412 `ERR_REVISION` unless the resource has this revision: the `ETag` of an earlier response. Several are separated by commas; `*` matches every revision.'
    })
})
