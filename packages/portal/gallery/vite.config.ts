import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig } from 'vite'
import { scopedName, stylesOfOwnPages } from '../../sign-in/own-styles.ts'
import type { HtmlFile } from '../build/html-file.ts'
import { htmlFiles } from '../build/html-files.ts'
import { pageTexts } from '../build/texts.ts'
import { brandPreview } from './brand-preview.ts'

const file = (title: string, script: string, body: string, page?: string): HtmlFile => ({
  title: `${title} · Gatehouse`,
  head: () => ['<link rel="icon" type="image/svg+xml" href="../src/mark.svg">'],
  script,
  ...(page && { page }),
  body: [body],
})
const files = {
  index: file('Gallery', './gallery.tsx', '<div id="gallery"></div>'),
  frame: file('Scene', './frame.tsx', '<main><div id="root"></div></main>', 'sign-in'),
}

/** The gallery is for development and browser tests; no package contains it. */
export default defineConfig({
  root: import.meta.dirname,
  // Two servers that optimize dependencies in the same folder at the same time interfere with each
  // other.
  cacheDir: process.env.GALLERY_BRAND ? '../node_modules/.vite-brand-preview' : '../node_modules/.vite-gallery',
  plugins: [pageTexts, react(), htmlFiles(files), process.env.GALLERY_BRAND ? brandPreview(process.env.GALLERY_BRAND) : []],
  resolve: { conditions: ['gatehouse-source', ...defaultClientConditions] },
  css: { modules: { generateScopedName: scopedName }, postcss: stylesOfOwnPages },
})
