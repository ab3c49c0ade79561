import type { Feature, UpdateFeature } from '@burgee/contract/schemas'
import { isSame } from '../../../../draft/structure.ts'

/** The fields of the form about a feature, as typed. */
export interface AboutFields {
  readonly name: string
  readonly description: string
  /** The first maintainer, or empty. */
  readonly owner: string
  /** Separated by commas. */
  readonly tags: string
  readonly links: readonly { readonly id: number; readonly title: string; readonly url: string }[]
  readonly markdown: string
}

type AboutFeature = Pick<Feature, 'name' | 'description' | 'tags' | 'summary'>

/** The fields of a feature. */
export function fieldsOf({ name, description = '', tags, summary }: AboutFeature): AboutFields {
  return {
    name,
    description,
    owner: summary.maintainers[0] ?? '',
    tags: tags.join(', '),
    links: summary.links.map(({ title, url }, id) => ({ id, title, url })),
    markdown: summary.markdown
  }
}

/** The update that the fields express; undefined if they are unchanged. Empty links count as removed. */
export function changeOf(feature: AboutFeature, fields: AboutFields): UpdateFeature | undefined {
  const { summary } = feature
  const others = summary.maintainers.slice(1).filter((id) => id !== fields.owner)
  const isSameOwner = fields.owner === (summary.maintainers[0] ?? '')
  const maintainers = isSameOwner ? summary.maintainers : [...(fields.owner ? [fields.owner] : []), ...others]
  const links = fields.links.filter(({ title, url }) => title || url).map(({ title, url }) => ({ title, url }))
  const summaryChange = {
    ...(isSameOwner ? {} : { maintainers }),
    ...(isSame(
      links,
      summary.links.map(({ title, url }) => ({ title, url }))
    )
      ? {}
      : { links }),
    ...(fields.markdown === summary.markdown ? {} : { markdown: fields.markdown })
  }
  const tags = [...new Set(fields.tags.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== '')
  const change: UpdateFeature = {
    ...(fields.name === feature.name ? {} : { name: fields.name }),
    ...(fields.description === (feature.description ?? '') ? {} : { description: fields.description }),
    ...(isSame(tags, feature.tags) ? {} : { tags }),
    ...(Object.keys(summaryChange).length === 0 ? {} : { summary: summaryChange })
  }
  return Object.keys(change).length === 0 ? undefined : change
}
