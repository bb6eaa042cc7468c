// Only names the styles of the page and of the components it uses: the built page has no script.
import '../sign-in-area/main.tsx'
import './misconfiguration.css'
