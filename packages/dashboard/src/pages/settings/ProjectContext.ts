import type { Project } from '@burgee/contract/schemas'
import { createContext, useContext } from 'react'

/** The project whose settings are shown. */
export const ProjectContext = createContext<Project | undefined>(undefined)

/** The project whose settings are shown, in its tabs. */
export function useProject(): Project {
  const project = useContext(ProjectContext)
  if (!project) throw new Error('a page of project settings is shown outside of its page')
  return project
}
