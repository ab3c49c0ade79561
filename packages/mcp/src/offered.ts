import type { ToolSettings } from './settings.ts'
import type { Tool } from './tool.ts'
import { tools } from './tools/tools.ts'

/** The tools that the settings let through, in their fixed order. Without the choice of a project the others were of no use. */
export function offered({ readOnly, categories }: ToolSettings): readonly Tool[] {
  return tools.filter(({ category, changes }) => {
    const isWanted = categories.length === 0 || category === 'projects' || categories.includes(category)
    return isWanted && (!readOnly || changes === 'nothing' || changes === 'session')
  })
}
