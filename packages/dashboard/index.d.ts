/** The directory of the built files: `index.html` and `assets/`, each with precompressed `.br` and `.gz` beside it. */
export declare const dashboardDirectory: URL
