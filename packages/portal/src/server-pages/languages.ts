// Imports the styles of the page and its components only. The built page has no script.
import '../sign-in-area/main.tsx'
import './languages.css'
