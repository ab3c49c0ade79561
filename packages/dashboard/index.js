/** The built files: `index.html` and `assets/`. */
export const dashboardDirectory = new URL('./dist/public/', import.meta.url)
