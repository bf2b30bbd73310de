/**
 * The parts of names in each language: family names, words, trades and the syllables of coined words. A word of another
 * script is written `native|latin`, with its transliteration.
 */

/** A word in its own script and in ASCII. */
export interface Word {
  readonly text: string;
  readonly latin: string;
}

export interface Language {
  /** RFC 5646 tag, as in `xml:lang`. */
  readonly code: string;
  readonly latin: boolean;
  readonly families: readonly Word[];
  readonly givens: readonly Word[];
  readonly nouns: readonly Word[];
  /** Lines of business. */
  readonly trades: readonly Word[];
  /** Holding, group, international. */
  readonly qualifiers: readonly Word[];
  readonly syllables: readonly Word[];
  /** Between two family names, with spaces where the language has them. */
  readonly and: string;
  /** Between words. */
  readonly space: string;
  /** A street with its number: `*` is the name, `#` the number. */
  readonly streets: readonly string[];
  /** A public body of a place: `*` is the place. */
  readonly governments: readonly string[];
}

/** Removes accents from Latin letters, as the ASCII fields of LEI-CDF require. */
export function plain(text: string): string {
  return text
    .replace(/[’ʼ]/g, "'")
    .replace(/[øØ]/g, 'o')
    .replace(/[łŁ]/g, 'l')
    .replace(/[æÆ]/g, 'ae')
    .replace(/ß/g, 'ss')
    .replace(/[đĐ]/g, 'd')
    .replace(/ı/g, 'i')
    .replace(/[þÞ]/g, 'th')
    .replace(/[ðÐ]/g, 'd')
    .normalize('NFD')
    .replace(/\p{M}/gu, '');
}

function words(list: string): readonly Word[] {
  return list.split(',').map((entry) => {
    const [text = '', latin] = entry.trim().split('|');
    return { text, latin: latin ?? plain(text) };
  });
}

interface LanguageLists {
  families: string;
  givens: string;
  nouns: string;
  trades: string;
  qualifiers?: string;
  syllables?: string;
  and?: string;
  space?: string;
  streets: string;
  governments: string;
  latin?: boolean;
}

// Syllables of coined names for most of Europe; other languages have their own.
const europeanSyllables =
  'al,an,ar,be,bel,bo,ca,cal,cen,cor,da,dan,del,di,dor,el,en,er,eu,fa,fer,fin,for,ga,gen,gra,har,hel,in,is,ka,kor,la,lan,lex,li,lo,lux,ma,mar,med,mel,mi,mon,na,nex,no,nor,nova,ol,om,or,pa,per,pol,pri,pro,qua,ra,ren,ri,ro,sal,san,sel,sen,si,sol,ta,tec,ter,ti,tor,tra,tri,ul,un,va,ven,ver,vi,vil,vol,xa,ya,zen,zi';

function language(code: string, lists: LanguageLists): Language {
  return {
    code,
    latin: lists.latin ?? true,
    families: words(lists.families),
    givens: words(lists.givens),
    nouns: words(lists.nouns),
    trades: words(lists.trades),
    qualifiers: words(lists.qualifiers ?? 'Holding,Group,International,Invest,Partners'),
    syllables: words(lists.syllables ?? europeanSyllables),
    and: lists.and ?? ' & ',
    space: lists.space ?? ' ',
    streets: lists.streets.split(';'),
    governments: lists.governments.split(';'),
  };
}

const list: readonly Language[] = [
  language('en', {
    families:
      'Smith,Jones,Taylor,Brown,Williams,Wilson,Johnson,Davies,Patel,Robinson,Wright,Thompson,Evans,Walker,White,Roberts,Green,Hall,Wood,Jackson,Clarke,Harris,Clark,Cooper,King,Lee,Martin,Morris,Turner,Hill,Ward,Baker,Moore,Morgan,Scott,Young,Allen,Mitchell,Carter,Phillips,Campbell,Parker,Bennett,Murphy,Kelly,Sullivan,Stewart,Anderson,Miller,Davis,Garcia,Rodriguez,Nguyen,Kim,Cohen,Goldberg,Fitzgerald,MacDonald,O’Brien,Whitmore,Ashford,Pemberton,Hathaway,Langley,Thornton,Bradshaw,Sinclair,Winslow,Harrington,Blackwood,Kensington,Chadwick,Everett,Holloway,Prescott,Sterling,Whitfield,Beaumont,Caldwell,Drummond,Fairfax,Grantham,Huxley,Kirkland,Lockhart,Montgomery,Norwood,Osborne,Radcliffe,Stratton,Tremaine,Underhill,Vance,Wexford,York',
    givens:
      'James,John,Robert,Michael,William,David,Mary,Patricia,Jennifer,Linda,Elizabeth,Susan,Thomas,Charles,Daniel,Matthew,Anthony,Mark,Sarah,Karen,Emily,Peter,George,Andrew,Helen,Margaret,Alice,Henry,Edward,Arthur,Oliver,Sophie,Grace,Samuel,Hannah,Joseph,Laura,Rebecca,Simon,Julia',
    nouns:
      'Oak,River,Summit,Harbor,Harbour,Stone,Bridge,Capital,Blue,Red,Green,Silver,Golden,North,South,East,West,Pacific,Atlantic,Global,National,American,British,Royal,Crown,Eagle,Falcon,Lion,Phoenix,Titan,Apex,Vertex,Alpha,Beta,Delta,Omega,Sigma,Prime,First,United,Allied,Premier,Pioneer,Frontier,Horizon,Sunrise,Star,Moon,Sun,Sky,Cloud,Ocean,Lake,Mountain,Valley,Forest,Meadow,Garden,Park,Hill,Castle,Tower,Gate,Key,Anchor,Compass,Beacon,Lighthouse,Heritage,Legacy,Trust,Liberty,Freedom,Victory,Fortune,Diamond,Emerald,Sapphire,Ruby,Pearl,Crystal,Iron,Steel,Copper,Cedar,Maple,Willow,Birch,Elm,Ivy,Rose,Lily,Aurora,Orion,Atlas,Vector,Matrix,Nexus,Quantum,Fusion,Spectrum,Momentum,Catalyst,Keystone,Cornerstone,Milestone,Landmark,Gateway,Crossroads,Evergreen,Bluebird,Redwood,Northgate,Westfield,Kingsway,Queensbury,Riverside,Lakeside,Hillside,Brookfield,Fairview,Oakwood,Greenfield',
    trades:
      'Capital,Properties,Investments,Services,Solutions,Consulting,Trading,Engineering,Construction,Technologies,Systems,Software,Logistics,Transport,Energy,Resources,Pharma,Healthcare,Medical,Foods,Farms,Retail,Design,Media,Marketing,Finance,Insurance,Realty,Development,Management,Advisors,Ventures,Industries,Manufacturing,Electronics,Motors,Marine,Shipping,Aviation,Travel,Hotels,Leisure,Education,Security,Recruitment,Textiles,Chemicals,Plastics,Metals,Mining,Oil & Gas,Renewables,Solar,Water,Packaging,Printing,Homes,Estates,Land,Leasing,Asset Management,Wealth Management,Pension Scheme,Family Trust',
    qualifiers:
      'Holdings,Group,International,Partners,Associates,Enterprises,Global,Europe,UK,Asia,Americas,Worldwide',
    streets:
      '# * Street;# * Road;# * Avenue;# * Lane;# * Drive;# * Way;# * Close;# * Boulevard;# * Court;* House, # High Street;Suite #, * Plaza',
    governments:
      'City of *;* City Council;* Borough Council;County of *;* Unified School District;* Housing Authority;* Health Board',
  }),
  language('de', {
    families:
      'Müller,Schmidt,Schneider,Fischer,Weber,Meyer,Wagner,Becker,Schulz,Hoffmann,Schäfer,Koch,Bauer,Richter,Klein,Wolf,Schröder,Neumann,Schwarz,Zimmermann,Braun,Krüger,Hofmann,Hartmann,Lange,Schmitt,Werner,Krause,Lehmann,Köhler,Herrmann,König,Walter,Mayer,Huber,Kaiser,Fuchs,Peters,Lang,Scholz,Möller,Weiß,Jung,Hahn,Schubert,Vogel,Friedrich,Keller,Günther,Frank,Berger,Winkler,Roth,Beck,Lorenz,Baumann,Franke,Albrecht,Schuster,Simon,Ludwig,Böhm,Winter,Kraus,Martin,Schumacher,Krämer,Vogt,Stein,Jäger,Otto,Sommer,Groß,Seidel,Heinrich,Brandt,Haas,Schreiber,Graf,Dietrich,Ziegler,Kuhn,Kühn,Pohl,Engel,Horn,Busch,Bergmann,Thomas,Voigt,Sauer,Arnold,Wolff,Pfeiffer',
    givens:
      'Hans,Peter,Wolfgang,Klaus,Jürgen,Michael,Stefan,Andreas,Thomas,Ursula,Monika,Petra,Sabine,Renate,Helga,Karin,Anna,Julia,Katharina,Maximilian,Felix,Lukas,Jörg,Günter,Heike,Claudia',
    nouns:
      'Rhein,Elbe,Isar,Donau,Alpen,Nord,Süd,West,Ost,Stadt,Land,Haus,Berg,Tal,Wald,See,Hansa,Euro,Global,Alpha,Delta,Omega,Adler,Bär,Löwe,Falke,Stern,Sonne,Krone,Anker,Eiche,Linde,Rosen,Gold,Silber,Stahl,Eisen,Zentral,Regional,Bayern,Sachsen,Hessen,Westfalen,Franken,Schwaben,Erste,Zweite,Dritte,Neue,Vereinigte,Allgemeine',
    trades:
      'Verwaltungs,Beteiligungs,Immobilien,Vermögensverwaltung,Bau,Handels,Technik,Maschinenbau,Elektro,Software,Logistik,Transporte,Energie,Windpark,Solarpark,Grundbesitz,Wohnungsbau,Hausverwaltung,Beratung,Consulting,Systeme,Medien,Druck,Metallbau,Stahlbau,Holzbau,Sanitär,Heizung,Autohaus,Apotheke,Gastronomie,Hotel,Pflege,Medizintechnik,Pharma,Chemie,Kunststoff,Verpackung,Lebensmittel,Bäckerei,Brauerei,Weingut,Landwirtschaft,Dienstleistungs,Projekt,Kapitalanlage,Versicherungsmakler,Leasing,Werkzeugbau,Anlagenbau',
    qualifiers: 'Holding,Gruppe,International,Deutschland,Invest,Partner,Management,Service',
    streets: '*straße #;*weg #;*allee #;*platz #;Am *berg #;*gasse #;Alte *straße #',
    governments: 'Stadt *;Gemeinde *;Landkreis *;Sparkasse *;Stadtwerke *;Kirchengemeinde *',
  }),
  language('fr', {
    families:
      'Martin,Bernard,Dubois,Thomas,Robert,Richard,Petit,Durand,Leroy,Moreau,Simon,Laurent,Lefebvre,Michel,Garcia,David,Bertrand,Roux,Vincent,Fournier,Morel,Girard,André,Lefèvre,Mercier,Dupont,Lambert,Bonnet,François,Martinez,Legrand,Garnier,Faure,Rousseau,Blanc,Guérin,Muller,Henry,Roussel,Nicolas,Perrin,Morin,Mathieu,Clément,Gauthier,Dumont,Lopez,Fontaine,Chevalier,Robin,Masson,Sanchez,Gérard,Nguyen,Boyer,Denis,Lemaire,Duval,Joly,Gautier,Roger,Roche,Roy,Noël,Meyer,Lucas,Meunier,Jean,Perez,Marchand,Dufour,Blanchard,Marie,Barbier,Brun,Dumas,Brunet,Schmitt,Leroux,Colas,Arnaud,Renard,Picard,Rolland,Gaillard,Philippe,Leclercq,Lacroix,Fabre,Dupuis',
    givens:
      'Jean,Pierre,Michel,Philippe,Alain,Patrick,Nicolas,Christophe,Marie,Nathalie,Isabelle,Sylvie,Catherine,Françoise,Anne,Céline,Sophie,Camille,Léa,Hélène,Étienne,Benoît',
    nouns:
      'Soleil,Lumière,Mer,Montagne,Rivière,Forêt,Château,Jardin,Fleur,Étoile,Lune,Ciel,Pont,Port,Rive,Val,Mont,Bois,Pré,Chêne,Olivier,Lavande,Alpes,Provence,Bretagne,Normandie,Aquitaine,Occitanie,Loire,Rhône,Seine,Garonne,Atlantique,Méditerranée,Europe,France,Nord,Sud,Grand,Petit,Nouvelle,Générale,Centrale,Royale,Alpha,Horizon,Avenir,Renaissance,Patrimoine,Héritage',
    trades:
      'Invest,Patrimoine,Immobilier,Conseil,Services,Développement,Participations,Finance,Gestion,Promotion,Construction,Bâtiment,Travaux,Transports,Logistique,Énergie,Solaire,Industrie,Mécanique,Électricité,Informatique,Numérique,Santé,Pharmacie,Médical,Boulangerie,Restauration,Hôtel,Vignobles,Agricole,Viande,Distribution,Négoce,Automobiles,Garage,Assurances,Courtage,Architecture,Ingénierie,Formation,Communication,Éditions,Production,Loisirs,Sécurité,Nettoyage,Environnement,Recyclage,Textile,Mode',
    qualifiers: 'Holding,Groupe,International,France,Partenaires,Associés,Europe',
    streets:
      '# rue de la *;# rue *;# avenue *;# boulevard *;# place *;# allée des *;# chemin du *;ZA *, lot #',
    governments:
      'Commune de *;Centre hospitalier de *;Communauté de communes *;Office public de l’habitat de *;Mairie de *',
  }),
  language('it', {
    families:
      "Rossi,Russo,Ferrari,Esposito,Bianchi,Romano,Colombo,Ricci,Marino,Greco,Bruno,Gallo,Conti,De Luca,Mancini,Costa,Giordano,Rizzo,Lombardi,Moretti,Barbieri,Fontana,Santoro,Mariani,Rinaldi,Caruso,Ferrara,Galli,Martini,Leone,Longo,Gentile,Martinelli,Vitale,Lombardo,Serra,Coppola,De Santis,D'Angelo,Marchetti,Parisi,Villa,Conte,Ferraro,Ferri,Fabbri,Bianco,Marini,Grasso,Valentini,Messina,Sala,De Angelis,Gatti,Pellegrini,Palumbo,Sanna,Farina,Rizzi,Monti,Cattaneo,Morelli,Amato,Silvestri,Mazza,Testa,Grassi,Pellegrino,Carbone,Giuliani,Benedetti,Barone,Rossetti,Caputo,Montanari,Guerra,Palmieri,Bernardi,Martino,Fiore",
    givens:
      'Giuseppe,Maria,Antonio,Giovanni,Anna,Francesco,Mario,Luigi,Roberto,Paolo,Marco,Andrea,Luca,Alessandro,Stefano,Giulia,Chiara,Francesca,Elena,Laura,Niccolò',
    nouns:
      "Sole,Luna,Stella,Mare,Monte,Valle,Fiume,Lago,Bosco,Giardino,Castello,Torre,Porta,Ponte,Villa,Casa,Oro,Argento,Aurora,Alba,Nuova,Antica,Grande,Centro,Nord,Sud,Adriatica,Tirreno,Padana,Lombarda,Veneta,Toscana,Emilia,Romagna,Italia,Europa,Mediterranea,San Marco,San Giorgio,Santa Lucia,Santa Maria,Leonardo,Galileo,Dante,Verdi,Futura,Progetto,Libertà,Unità,L'Aquila",
    trades:
      'Costruzioni,Immobiliare,Trasporti,Servizi,Impianti,Edilizia,Finanziaria,Investimenti,Consulting,Meccanica,Elettronica,Informatica,Energia,Ambiente,Alimentari,Agricola,Vini,Carni,Caffè,Ristorazione,Hotel,Turismo,Moda,Tessile,Calzature,Pelletteria,Mobili,Arredamenti,Ceramiche,Marmi,Metalli,Acciai,Plastica,Chimica,Farmaceutica,Sanitaria,Logistica,Auto,Motori,Distribuzione,Commerciale,Import Export,Assicurazioni,Studio Tecnico,Ingegneria,Progetti,Comunicazione,Editoria,Gestioni,Partecipazioni',
    qualifiers: 'Holding,Group,Italia,International,Partners,e Figli,e C.',
    streets: 'Via * #;Viale * #;Piazza * #;Corso * #;Via dei * #;Strada * #;Località * #',
    governments: 'Comune di *;Provincia di *;Azienda sanitaria locale di *;Ente * Servizi;Consorzio *',
  }),
  language('es', {
    families:
      'García,Rodríguez,González,Fernández,López,Martínez,Sánchez,Pérez,Gómez,Martín,Jiménez,Hernández,Ruiz,Díaz,Moreno,Muñoz,Álvarez,Romero,Gutiérrez,Alonso,Navarro,Torres,Domínguez,Ramos,Vázquez,Ramírez,Gil,Serrano,Morales,Molina,Blanco,Suárez,Castro,Ortega,Delgado,Ortiz,Marín,Rubio,Núñez,Medina,Sanz,Castillo,Iglesias,Cortés,Garrido,Santos,Guerrero,Lozano,Cano,Cruz,Méndez,Flores,Prieto,Herrera,Peña,León,Márquez,Cabrera,Gallego,Calvo,Vidal,Campos,Reyes,Vega,Fuentes,Carrasco,Díez,Aguilar,Caballero,Nieto,Santana,Vargas,Pascual,Giménez,Herrero,Hidalgo,Montero,Lorenzo,Santiago,Benítez',
    givens:
      'Antonio,José,Manuel,Francisco,Juan,David,Javier,Carlos,Jesús,Miguel,María,Carmen,Ana,Isabel,Laura,Cristina,Marta,Dolores,Lucía,Pilar,Ramón',
    nouns:
      'Sol,Luna,Mar,Monte,Río,Valle,Sierra,Costa,Playa,Puerto,Castillo,Torre,Puente,Casa,Huerta,Olivo,Encina,Norte,Sur,Levante,Mediterráneo,Cantábrico,Ibérica,España,Cataluña,Andalucía,Galicia,Castilla,Aragón,Navarra,Nueva,Gran,Central,General,Unión,San José,Santa Ana,San Miguel,Virgen del Carmen,Estrella,Águila,León,Oro,Plata,Futuro,Horizonte,Progreso,Esperanza,Libertad,Europa',
    trades:
      'Inversiones,Inmobiliaria,Construcciones,Promociones,Servicios,Transportes,Logística,Energía,Solar,Renovables,Ingeniería,Consultores,Asesores,Gestión,Patrimonial,Agrícola,Ganadera,Bodegas,Aceites,Alimentación,Cárnicas,Pescados,Hoteles,Turismo,Restauración,Automoción,Talleres,Metalúrgica,Electricidad,Instalaciones,Informática,Tecnologías,Sistemas,Farmacia,Clínica,Dental,Sanitaria,Química,Plásticos,Textil,Moda,Calzados,Muebles,Distribuciones,Comercial,Exportaciones,Seguros,Formación,Comunicación,Desarrollos',
    qualifiers: 'Grupo,Holding,Internacional,Hermanos,e Hijos,y Asociados,Ibérica',
    and: ' y ',
    streets:
      'Calle * #;Avenida de * #;Plaza * #;Paseo de la * #;Polígono Industrial *, parcela #;Carretera de * km #',
    governments:
      'Ayuntamiento de *;Diputación de *;Universidad de *;Comunidad de Regantes de *;Municipio de *',
  }),
  language('nl', {
    families:
      'de Jong,Jansen,de Vries,van den Berg,van Dijk,Bakker,Janssen,Visser,Smit,Meijer,de Boer,Mulder,de Groot,Bos,Vos,Peters,Hendriks,van Leeuwen,Dekker,Brouwer,de Wit,Dijkstra,Smits,de Graaf,van der Meer,van der Linden,Kok,Jacobs,de Haan,Vermeulen,van den Heuvel,van der Veen,van den Broek,de Bruijn,de Bruin,van der Heijden,Schouten,van Beek,Willems,van Vliet,van de Ven,Hoekstra,Maas,Verhoeven,Koster,van Dam,van der Wal,Prins,Blom,Huisman,Peeters,de Jonge,Kuipers,van Veen,Post,Kuiper,Veenstra,Kramer,van den Brink,Scholten,Claes,Goossens,Maes,Wouters,De Smet,Mertens,Dubois,Lambert',
    givens:
      'Jan,Pieter,Johannes,Cornelis,Willem,Hendrik,Maria,Anna,Johanna,Elisabeth,Sanne,Daan,Bram,Joost,Ilse,Lotte,Wouter,Katrien',
    nouns:
      'Noord,Zuid,Oost,West,Rijn,Maas,Schelde,Waal,Zee,Duin,Polder,Dijk,Molen,Kasteel,Toren,Brug,Haven,Berg,Dal,Bos,Linde,Eik,Tulp,Oranje,Holland,Brabant,Limburg,Zeeland,Friesland,Vlaanderen,Euro,Globe,Alpha,Delta,Gouden,Nieuwe,Oude,Eerste,Groene,Blauwe',
    trades:
      'Beheer,Holding,Vastgoed,Bouw,Transport,Logistiek,Techniek,Installatie,Handel,Advies,Consultancy,Diensten,Energie,Zorg,Tandartsen,Apotheek,Horeca,Hotel,Landbouw,Melkvee,Tuinbouw,Bloemen,Groenten,Vlees,Vis,Metaal,Staal,Kunststof,Verpakking,Drukkerij,Media,Automatisering,Software,Auto,Garage,Schildersbedrijf,Aannemersbedrijf,Participaties,Investments,Pensioen',
    qualifiers: 'Groep,International,Nederland,Europe,Invest,Partners,en Zonen',
    and: ' en ',
    streets: '*straat #;*weg #;*laan #;*plein #;*kade #;*dijk #',
    governments: 'Gemeente *;Waterschap *;Stichting Onderwijs *;Provincie *',
  }),
  language('sv', {
    families:
      'Andersson,Johansson,Karlsson,Nilsson,Eriksson,Larsson,Olsson,Persson,Svensson,Gustafsson,Pettersson,Jonsson,Jansson,Hansson,Bengtsson,Jönsson,Lindberg,Jakobsson,Magnusson,Lindström,Olofsson,Lindqvist,Lindgren,Berg,Axelsson,Bergström,Lundberg,Lind,Lundgren,Mattsson,Berglund,Fredriksson,Sandberg,Henriksson,Forsberg,Sjöberg,Wallin,Engström,Eklund,Danielsson,Lundin,Håkansson,Björk,Bergman,Gunnarsson,Holm,Wikström,Samuelsson,Isaksson,Fransson',
    givens: 'Erik,Lars,Karl,Anders,Johan,Per,Nils,Maria,Anna,Margareta,Elisabeth,Eva,Åsa,Björn,Gösta',
    nouns:
      'Norr,Söder,Öst,Väst,Skog,Sjö,Berg,Dal,Ö,Strand,Hamn,Ström,Sten,Järn,Stål,Guld,Silver,Björk,Gran,Ek,Ros,Sol,Måne,Stjärna,Kung,Krona,Örn,Björn,Varg,Älg,Svea,Göta,Skåne,Dalarna,Norrland,Nordic,Scandia,Nya,Första,Gamla',
    trades:
      'Fastigheter,Bygg,Invest,Förvaltning,Konsult,Teknik,Industri,Transport,Åkeri,El,Rör,Måleri,Skog,Lantbruk,Handel,Livs,Restaurang,Hotell,Hälsa,Tandvård,Media,Data,System,Energi,Vind,Finans,Kapital,Maskin,Verkstad,Plåt,Trä,Design,Entreprenad,Logistik,Utveckling',
    qualifiers: 'Holding,Gruppen,International,Sverige,Partners,Nordic',
    and: ' & ',
    streets: '*gatan #;*vägen #;*torget #;*stigen #;Stora *gatan #',
    governments: '* kommun;Region *;* församling;Stiftelsen *',
  }),
  language('da', {
    families:
      'Nielsen,Jensen,Hansen,Pedersen,Andersen,Christensen,Larsen,Sørensen,Rasmussen,Jørgensen,Petersen,Madsen,Kristensen,Olsen,Thomsen,Christiansen,Poulsen,Johansen,Møller,Mortensen,Knudsen,Jakobsen,Jacobsen,Mikkelsen,Olesen,Frederiksen,Laursen,Henriksen,Lund,Schmidt,Holm,Eriksen,Kristiansen,Clausen,Simonsen,Svendsen,Andreasen,Iversen,Østergaard,Jeppesen',
    givens: 'Peter,Jens,Lars,Michael,Henrik,Søren,Anne,Mette,Kirsten,Hanne,Bjørn,Åse,Mads,Rasmus',
    nouns:
      'Nord,Syd,Øst,Vest,Sø,Skov,Strand,Havn,Bæk,Dal,Bakke,Eng,Mølle,Slot,Ørn,Bjørn,Ege,Birke,Rose,Guld,Sølv,Jern,Sten,Dansk,Jysk,Fynsk,Nordisk,Ny,Gammel,Første',
    trades:
      'Ejendomme,Invest,Byg,Entreprise,Consult,Teknik,Industri,Transport,El,VVS,Maskin,Landbrug,Svineproduktion,Handel,Fødevarer,Restaurant,Hotel,Klinik,Tandlæge,IT,Data,Energi,Vind,Finans,Kapital,Smede,Tømrer,Murer,Auto,Design',
    qualifiers: 'Holding,Gruppen,International,Danmark,Partners,Nordic',
    and: ' og ',
    streets: '*vej #;*gade #;*allé #;*torv #;Store *gade #',
    governments: '* Kommune;Region *;* Vandværk;* Menighedsråd',
  }),
  language('fi', {
    families:
      'Korhonen,Virtanen,Mäkinen,Nieminen,Mäkelä,Hämäläinen,Laine,Heikkinen,Koskinen,Järvinen,Lehtonen,Lehtinen,Saarinen,Salminen,Heinonen,Niemi,Heikkilä,Kinnunen,Salonen,Turunen,Salo,Laitinen,Tuominen,Rantanen,Karjalainen,Jokinen,Mattila,Savolainen,Lahtinen,Ahonen',
    givens: 'Juhani,Johannes,Mikael,Antti,Matti,Maria,Helena,Anneli,Johanna,Kaarina,Päivi,Jyrki',
    nouns:
      'Pohja,Etelä,Itä,Länsi,Järvi,Metsä,Meri,Saari,Ranta,Koski,Mäki,Niemi,Kivi,Rauta,Teräs,Kulta,Hopea,Koivu,Kuusi,Mänty,Karhu,Kotka,Susi,Suomen,Lapin,Savon,Uusi,Vanha,Ensimmäinen,Tähti',
    trades:
      'Kiinteistöt,Rakennus,Sijoitus,Konsultointi,Tekniikka,Teollisuus,Kuljetus,Sähkö,Putki,Maalaus,Puu,Maatila,Kauppa,Ravintola,Hotelli,Terveys,Hammaslääkärit,Media,Data,Järjestelmät,Energia,Tuulivoima,Rahoitus,Pääoma,Konepaja',
    qualifiers: 'Holding,Konserni,International,Finland,Partners,Invest',
    and: ' & ',
    streets: '*katu #;*tie #;*polku #;*kuja #;*ranta #',
    governments: '* kaupunki;* kunta;* seurakunta;* yliopisto',
  }),
  language('no', {
    families:
      'Hansen,Johansen,Olsen,Larsen,Andersen,Pedersen,Nilsen,Kristiansen,Jensen,Karlsen,Johnsen,Pettersen,Eriksen,Berg,Haugen,Hagen,Johannessen,Andreassen,Jacobsen,Dahl,Jørgensen,Halvorsen,Henriksen,Lund,Sørensen,Jakobsen,Moen,Gundersen,Iversen,Strand,Solberg,Svendsen,Eide,Knutsen,Martinsen,Paulsen,Bakken,Kristoffersen,Mathisen,Lie',
    givens: 'Jan,Per,Bjørn,Ole,Lars,Kjell,Knut,Anne,Inger,Kari,Marit,Ingrid,Liv,Øyvind,Åse',
    nouns:
      'Nord,Sør,Øst,Vest,Fjord,Fjell,Hav,Skog,Vik,Nes,Strand,Dal,Elv,Foss,Bre,Sol,Måne,Stjerne,Ørn,Bjørn,Ulv,Laks,Jern,Stål,Gull,Sølv,Norsk,Viking,Arktisk,Ny',
    trades:
      'Eiendom,Invest,Bygg,Entreprenør,Consulting,Teknikk,Industri,Transport,Rederi,Shipping,Offshore,Fiskeri,Havbruk,Kraft,Energi,Elektro,Rør,Maskin,Landbruk,Handel,Restaurant,Hotell,Helse,Tannlege,Data,Finans,Kapital,Utvikling,Design,Regnskap',
    qualifiers: 'Holding,Gruppen,International,Norge,Partners,Nordic',
    and: ' og ',
    streets: '*veien #;*gata #;*torget #;*bakken #',
    governments: '* kommune;* fylkeskommune;* sokn;Stiftelsen *',
  }),
  language('pl', {
    families:
      'Nowak,Kowalski,Wiśniewski,Wójcik,Kowalczyk,Kamiński,Lewandowski,Zieliński,Szymański,Woźniak,Dąbrowski,Kozłowski,Jankowski,Mazur,Wojciechowski,Kwiatkowski,Krawczyk,Kaczmarek,Piotrowski,Grabowski,Zając,Pawłowski,Michalski,Król,Wieczorek,Jabłoński,Wróbel,Nowakowski,Majewski,Olszewski,Stępień,Malinowski,Jaworski,Adamczyk,Dudek,Nowicki,Pawlak,Górski,Witkowski,Walczak',
    givens:
      'Jan,Andrzej,Piotr,Krzysztof,Stanisław,Tomasz,Paweł,Józef,Marcin,Anna,Maria,Katarzyna,Małgorzata,Agnieszka,Barbara,Łukasz',
    nouns:
      'Nowa,Stary,Zielona,Złota,Srebrna,Biała,Czarna,Górska,Leśna,Morska,Polna,Słoneczna,Centralna,Polska,Śląsk,Mazowsze,Bałtyk,Wisła,Tatry,Orzeł,Lew,Dąb,Róża,Gwiazda,Zamek,Most,Brama,Euro,Pol,Inter',
    trades:
      'Inwestycje,Nieruchomości,Budownictwo,Transport,Spedycja,Usługi,Handel,Technika,Produkcja,Energia,Metal,Stal,Drewno,Meble,Okna,Instalacje,Elektro,Informatyka,Oprogramowanie,Apteka,Medycyna,Gastronomia,Hotel,Rolnictwo,Mięso,Piekarnia,Chemia,Opakowania,Finanse,Doradztwo',
    qualifiers: 'Holding,Grupa,Polska,International,Invest,Serwis',
    and: ' i ',
    streets: 'ul. * #;al. * #;pl. * #;os. * #',
    governments: 'Gmina *;Miasto *;Powiat *;Województwo *',
  }),
  language('cs', {
    families:
      'Novák,Svoboda,Novotný,Dvořák,Černý,Procházka,Kučera,Veselý,Horák,Němec,Pokorný,Pospíšil,Marek,Hájek,Jelínek,Král,Růžička,Beneš,Fiala,Sedláček,Doležal,Zeman,Nguyen,Kolář,Krejčí,Navrátil,Čermák,Urban,Vaněk,Blažek,Kováč,Horváth,Varga,Tóth,Nagy,Baláž,Molnár,Szabó,Polák,Lukáč',
    givens: 'Jan,Petr,Jiří,Josef,Pavel,Martin,Tomáš,Jaroslav,Marie,Jana,Eva,Hana,Lenka,Ľuboš',
    nouns:
      'Nový,Starý,Zelený,Zlatý,Stříbrný,Bílý,Černý,Horský,Lesní,Česká,Morava,Slezsko,Slovenská,Tatry,Dunaj,Vltava,Labe,Orel,Lev,Medvěd,Dub,Lípa,Růže,Hvězda,Hrad,Most,Brána,Euro,První,Centrum',
    trades:
      'Reality,Invest,Stavby,Doprava,Spedice,Služby,Obchod,Technika,Strojírny,Energo,Kov,Ocel,Dřevo,Nábytek,Okna,Elektro,Software,Lékárna,Zdraví,Gastro,Hotel,Zemědělská,Pekárny,Pivovar,Chemie,Plast,Obaly,Finance,Poradenství,Projekt',
    qualifiers: 'Holding,Group,International,CZ,Invest,Servis',
    and: ' a ',
    streets: '* #;* #/12;nám. * #;Na *ě #',
    governments: 'Obec *;Město *;Městská část *;Kraj *',
  }),
  language('hu', {
    families:
      'Nagy,Kovács,Tóth,Szabó,Horváth,Varga,Kiss,Molnár,Németh,Farkas,Balogh,Papp,Takács,Juhász,Lakatos,Mészáros,Oláh,Simon,Rácz,Fekete',
    givens: 'László,István,József,János,Zoltán,Mária,Erzsébet,Katalin,Ilona,Éva',
    nouns:
      'Új,Régi,Zöld,Arany,Ezüst,Fehér,Fekete,Hegy,Erdő,Duna,Tisza,Balaton,Magyar,Pannon,Alföld,Sas,Oroszlán,Rózsa,Csillag,Vár,Híd,Kapu,Euro,Első,Központ',
    trades:
      'Ingatlan,Invest,Építő,Szállítmányozó,Szolgáltató,Kereskedelmi,Technika,Gyártó,Energia,Fém,Acél,Fa,Bútor,Villamos,Szoftver,Gyógyszertár,Egészségügyi,Vendéglátó,Szálloda,Mezőgazdasági,Pékség,Borászat,Vegyipari,Pénzügyi,Tanácsadó',
    qualifiers: 'Holding,Csoport,International,Hungary,Invest',
    and: ' és ',
    streets: '* utca #.;* út #.;* tér #.;* körút #.',
    governments: '* Önkormányzata;* Egyetem;* Kórház',
  }),
  language('pt', {
    families:
      'Silva,Santos,Ferreira,Pereira,Oliveira,Costa,Rodrigues,Martins,Jesus,Sousa,Fernandes,Gonçalves,Gomes,Lopes,Marques,Alves,Almeida,Ribeiro,Pinto,Carvalho,Teixeira,Moreira,Correia,Mendes,Nunes,Soares,Vieira,Monteiro,Cardoso,Rocha,Souza,Lima,Araújo,Barbosa,Cavalcanti',
    givens: 'José,João,António,Manuel,Francisco,Maria,Ana,Joana,Inês,Luís,Conceição,Márcio',
    nouns:
      'Sol,Lua,Mar,Monte,Rio,Vale,Serra,Costa,Praia,Porto,Castelo,Torre,Ponte,Casa,Oliveira,Norte,Sul,Atlântico,Lusitana,Ibérica,Brasil,Nova,Grande,Central,União,São José,Santa Maria,Estrela,Águia,Ouro,Prata,Futuro,Horizonte,Progresso,Esperança,Liberdade',
    trades:
      'Investimentos,Imobiliária,Construções,Serviços,Transportes,Logística,Energia,Solar,Engenharia,Consultoria,Gestão,Participações,Agrícola,Agropecuária,Vinhos,Alimentos,Carnes,Hotéis,Turismo,Restauração,Automóveis,Metalúrgica,Instalações,Informática,Tecnologia,Farmácia,Clínica,Química,Plásticos,Têxteis,Calçado,Móveis,Distribuição,Comércio,Seguros',
    qualifiers: 'Grupo,Holding,Internacional,Irmãos,e Filhos,Associados',
    and: ' e ',
    streets: 'Rua * #;Avenida * #;Praça * #;Travessa da * #;Estrada * #',
    governments: 'Município de *;Câmara Municipal de *;Junta de Freguesia de *;Universidade de *',
  }),
  language('tr', {
    families:
      'Yılmaz,Kaya,Demir,Çelik,Şahin,Yıldız,Yıldırım,Öztürk,Aydın,Özdemir,Arslan,Doğan,Kılıç,Aslan,Çetin,Kara,Koç,Kurt,Özkan,Şimşek',
    givens: 'Mehmet,Mustafa,Ahmet,Ali,Hüseyin,Hasan,Fatma,Ayşe,Emine,Hatice,Zeynep,Elif',
    nouns:
      'Anadolu,Ege,Akdeniz,Karadeniz,Marmara,Toros,İstanbul,Ankara,Yeni,Büyük,Altın,Gümüş,Yıldız,Güneş,Deniz,Dağ,Orman,Kartal,Aslan,Doğu,Batı,Kuzey,Güney,Avrasya,Türk',
    trades:
      'İnşaat,Gayrimenkul,Turizm,Tekstil,Gıda,Otomotiv,Makina,Elektrik,Enerji,Madencilik,Lojistik,Nakliyat,Dış Ticaret,Sanayi ve Ticaret,Kimya,Plastik,Ambalaj,Mobilya,Sağlık,Eczacılık,Bilişim,Yazılım,Danışmanlık,Tarım,Metal,Çelik,Yatırım,Finans,Sigorta,Eğitim',
    qualifiers: 'Holding,Grup,Uluslararası,Yatırım',
    and: ' ve ',
    streets: '* Cad. No: #;* Sok. No: #;* Mah. * Bulvarı No: #',
    governments: '* Belediyesi;* Üniversitesi;* Valiliği',
  }),
  language('ro', {
    families:
      'Popa,Popescu,Ionescu,Radu,Dumitru,Stan,Stoica,Gheorghe,Matei,Ciobanu,Rusu,Munteanu,Constantin,Șerban,Moldovan,Crăciun,Țăranu,Kovačević,Horvat,Babić,Marić,Jurić,Novak,Petrović,Jovanović,Nikolić',
    givens: 'Ion,Andrei,Alexandru,Gheorghe,Maria,Elena,Ioana,Ștefan,Marko,Ivan,Ana',
    nouns:
      'Nova,Alb,Verde,Auriu,Munte,Dunărea,Carpați,Transilvania,Moldova,Adria,Sava,Drava,Balkan,Euro,Inter,Stella,Vultur,Leu,Roza,Centru,Prima,Delta,Alfa,Omega,Jadran',
    trades:
      'Invest,Imobiliare,Construct,Trans,Servicii,Comerț,Impex,Energie,Metal,Lemn,Mobila,Software,Farmacie,Medical,Hotel,Agro,Panificație,Chim,Plast,Consulting,Trgovina,Usluge,Gradnja,Turizam,Proizvodnja',
    qualifiers: 'Holding,Grup,International,Invest,Plus',
    and: ' și ',
    streets: 'Str. * nr. #;Bd. * nr. #;Calea * nr. #;Ulica * #',
    governments: 'Municipiul *;Comuna *;Orașul *;Grad *',
  }),
  language('et', {
    families:
      'Tamm,Saar,Sepp,Mägi,Kask,Kukk,Rebane,Ilves,Pärn,Koppel,Kazlauskas,Jankauskas,Petrauskas,Stankevičius,Bērziņš,Kalniņš,Ozoliņš,Liepiņš,Krūmiņš,Žukauskas',
    givens: 'Jaan,Mart,Toomas,Kristiina,Jānis,Andris,Līga,Jonas,Rūta,Žydrūnas',
    nouns:
      'Balti,Põhja,Lõuna,Ida,Lääne,Mets,Meri,Saar,Jõgi,Kivi,Raud,Kuld,Hõbe,Daugava,Rīgas,Latvijas,Nemunas,Vilniaus,Lietuvos,Gintaras,Saulė,Žalgiris,Ąžuolas,Eesti,Uus',
    trades:
      'Kinnisvara,Invest,Ehitus,Transport,Kaubandus,Teenused,Energia,Metall,Puit,Mööbel,Tarkvara,Statyba,Prekyba,Transportas,Medis,Būve,Tirdzniecība,Īpašumi,Loģistika,Serviss,Agro,Food,Hotell,Finants,Konsult',
    qualifiers: 'Group,Baltic,International,Invest,Holding',
    and: ' ja ',
    streets: '* tn #;* mnt #;* iela #;* g. #',
    governments: '* vald;* linn;* pašvaldība;* savivaldybė',
  }),
  language('id', {
    families:
      'Wijaya,Santoso,Setiawan,Hidayat,Kusuma,Pratama,Saputra,Nugroho,Gunawan,Halim,Tan,Lim,Wong,Lee,Ng,Abdullah,Rahman,Ismail,Hassan,Yusof',
    givens: 'Budi,Agus,Dewi,Sri,Siti,Ahmad,Muhammad,Nur,Rizky,Putri',
    nouns:
      'Maju,Jaya,Makmur,Abadi,Sejahtera,Mitra,Karya,Cipta,Bumi,Samudera,Nusantara,Garuda,Merapi,Indo,Asia,Mega,Surya,Bintang,Emas,Perkasa,Utama,Sentosa,Mulia,Harapan,Bersama',
    trades:
      'Investama,Properti,Konstruksi,Teknologi,Logistik,Transport,Energi,Tambang,Sawit,Tekstil,Farma,Medika,Pangan,Boga,Perkebunan,Perikanan,Elektronik,Otomotif,Baja,Kimia,Plastik,Kemasan,Finance,Konsultan,Digital',
    qualifiers: 'Indonesia,Group,Internasional,Persada,Holdings',
    and: ' dan ',
    streets: 'Jl. * No. #;Jalan * #;Gedung * Lt. #',
    governments: 'Pemerintah Kota *;Kabupaten *;Universitas *',
  }),
  language('zh', {
    latin: false,
    families:
      '王|Wang,李|Li,张|Zhang,刘|Liu,陈|Chen,杨|Yang,赵|Zhao,黄|Huang,周|Zhou,吴|Wu,徐|Xu,孙|Sun,胡|Hu,朱|Zhu,高|Gao,林|Lin,何|He,郭|Guo,马|Ma,罗|Luo',
    givens: '伟|Wei,芳|Fang,娜|Na,敏|Min,静|Jing,强|Qiang,磊|Lei,洋|Yang,勇|Yong,军|Jun,杰|Jie,涛|Tao',
    nouns:
      '华|Hua,中|Zhong,国|Guo,金|Jin,银|Yin,龙|Long,凤|Feng,天|Tian,地|Di,海|Hai,江|Jiang,山|Shan,东|Dong,西|Xi,南|Nan,北|Bei,星|Xing,光|Guang,明|Ming,信|Xin,达|Da,德|De,福|Fu,富|Fu,贵|Gui,盛|Sheng,兴|Xing,旺|Wang,泰|Tai,安|An,康|Kang,宁|Ning,和|He,平|Ping,利|Li,源|Yuan,丰|Feng,隆|Long,顺|Shun,祥|Xiang,瑞|Rui,恒|Heng,永|Yong,长|Chang,久|Jiu,鼎|Ding,鑫|Xin,宏|Hong,伟|Wei',
    trades:
      '科技|Technology,贸易|Trading,投资|Investment,实业|Industrial,电子|Electronics,机械|Machinery,化工|Chemical,建筑工程|Construction Engineering,房地产开发|Real Estate Development,物流|Logistics,国际贸易|International Trading,进出口|Import and Export,食品|Food,医药|Pharmaceutical,医疗器械|Medical Devices,新能源|New Energy,新材料|New Materials,纺织|Textile,服装|Garment,家具|Furniture,包装|Packaging,印刷|Printing,环保科技|Environmental Technology,信息技术|Information Technology,网络科技|Network Technology,文化传媒|Culture Media,教育咨询|Education Consulting,企业管理|Enterprise Management,资产管理|Asset Management,融资租赁|Financial Leasing,供应链管理|Supply Chain Management,汽车零部件|Auto Parts,光电|Optoelectronics,半导体|Semiconductor,五金制品|Hardware Products,塑胶制品|Plastic Products,农业发展|Agricultural Development,水产|Aquatic Products,餐饮管理|Catering Management,酒店管理|Hotel Management',
    qualifiers: '集团|Group,控股|Holding,发展|Development,国际|International',
    syllables:
      '博|Bo,创|Chuang,辰|Chen,成|Cheng,诚|Cheng,大|Da,鼎|Ding,方|Fang,飞|Fei,广|Guang,海|Hai,浩|Hao,宏|Hong,辉|Hui,汇|Hui,惠|Hui,吉|Ji,佳|Jia,嘉|Jia,建|Jian,洁|Jie,锦|Jin,晶|Jing,聚|Ju,凯|Kai,科|Ke,乐|Le,力|Li,联|Lian,良|Liang,林|Lin,美|Mei,铭|Ming,普|Pu,奇|Qi,启|Qi,千|Qian,荣|Rong,润|Run,森|Sen,上|Shang,世|Shi,思|Si,腾|Teng,通|Tong,万|Wan,威|Wei,维|Wei,文|Wen,新|Xin,欣|Xin,旭|Xu,亚|Ya,益|Yi,亿|Yi,英|Ying,友|You,宇|Yu,裕|Yu,元|Yuan,远|Yuan,云|Yun,泽|Ze,展|Zhan,正|Zheng,志|Zhi,智|Zhi,众|Zhong,卓|Zhuo',
    and: '',
    space: '',
    streets: '*路#号;*大道#号;*街#号;*工业园#号楼;*大厦#层',
    governments: '*市人民政府;*市财政局;*大学;*市人民医院',
  }),
  language('ja', {
    latin: false,
    families:
      '佐藤|Sato,鈴木|Suzuki,高橋|Takahashi,田中|Tanaka,伊藤|Ito,渡辺|Watanabe,山本|Yamamoto,中村|Nakamura,小林|Kobayashi,加藤|Kato,吉田|Yoshida,山田|Yamada,佐々木|Sasaki,山口|Yamaguchi,松本|Matsumoto,井上|Inoue,木村|Kimura,林|Hayashi,斎藤|Saito,清水|Shimizu',
    givens: '太郎|Taro,一郎|Ichiro,健|Ken,誠|Makoto,浩|Hiroshi,花子|Hanako,恵|Megumi,愛|Ai',
    nouns:
      '日本|Nippon,東京|Tokyo,大阪|Osaka,東洋|Toyo,三|San,富士|Fuji,太平洋|Taiheiyo,中央|Chuo,第一|Daiichi,新|Shin,大和|Daiwa,日立|Hitachi,住友|Sumitomo,東海|Tokai,関西|Kansai,九州|Kyushu,北海道|Hokkaido,桜|Sakura,みずほ|Mizuho,さくら|Sakura,ひかり|Hikari,あおぞら|Aozora,グローバル|Global,アジア|Asia,ジャパン|Japan',
    trades:
      '製作所|Seisakusho,工業|Kogyo,商事|Shoji,建設|Kensetsu,不動産|Fudosan,電機|Denki,電子|Denshi,化学|Kagaku,製薬|Seiyaku,食品|Shokuhin,運輸|Unyu,物流|Butsuryu,証券|Shoken,銀行|Ginko,信託銀行|Shintaku Ginko,保険|Hoken,リース|Lease,システム|Systems,テクノロジー|Technology,エネルギー|Energy,ホールディングス|Holdings,サービス|Service,自動車|Jidosha,鉄鋼|Tekko,印刷|Insatsu',
    qualifiers: 'グループ|Group,ホールディングス|Holdings,インターナショナル|International',
    syllables:
      'アル|Aru,エム|Emu,オリ|Ori,カナ|Kana,キラ|Kira,クロ|Kuro,コス|Kosu,サン|San,シン|Shin,スカ|Suka,セン|Sen,ソラ|Sora,タキ|Taki,テク|Teku,トモ|Tomo,ナノ|Nano,ニチ|Nichi,ノバ|Noba,ハル|Haru,ヒロ|Hiro,フジ|Fuji,ベル|Beru,マル|Maru,ミラ|Mira,ムラ|Mura,メガ|Mega,ヤマ|Yama,ユニ|Yuni,ライ|Rai,リバ|Riba,ルナ|Runa,レオ|Reo,ワコ|Wako',
    and: '・',
    space: '',
    streets: '*町#番地;*丁目#番;本町*ビル#階',
    governments: '*市;*県;*大学;*病院機構',
  }),
  language('ko', {
    latin: false,
    families: '김|Kim,이|Lee,박|Park,최|Choi,정|Jung,강|Kang,조|Cho,윤|Yoon,장|Jang,임|Lim',
    givens: '민준|Minjun,서연|Seoyeon,지훈|Jihoon,수진|Sujin,영호|Youngho,은정|Eunjung',
    nouns:
      '한국|Hankook,대한|Daehan,서울|Seoul,현대|Hyundai,신한|Shinhan,동양|Dongyang,태평양|Taepyeongyang,미래|Mirae,하나|Hana,우리|Woori,금호|Kumho,세계|Segye,중앙|Joongang,제일|Jeil,글로벌|Global,코리아|Korea,아시아|Asia,남양|Namyang',
    trades:
      '산업|Industrial,건설|Construction,전자|Electronics,화학|Chemical,제약|Pharmaceutical,식품|Foods,물류|Logistics,해운|Shipping,증권|Securities,자산운용|Asset Management,투자|Investment,테크|Tech,소프트|Soft,에너지|Energy,바이오|Bio,무역|Trading,기계|Machinery,섬유|Textile,엔지니어링|Engineering,파트너스|Partners',
    qualifiers: '그룹|Group,홀딩스|Holdings,인터내셔널|International',
    syllables:
      '가|Ga,나|Na,다|Da,라|Ra,마|Ma,바|Ba,사|Sa,아|A,자|Ja,카|Ka,타|Ta,파|Pa,하|Ha,노|No,도|Do,로|Ro,모|Mo,보|Bo,소|So,오|O,코|Ko,유|Yu,루|Ru,비|Bi,시|Si,지|Ji,엔|En,넥|Nek,텍|Tek,스|Seu',
    and: '·',
    space: ' ',
    streets: '*로 #;*길 #;*대로 # *빌딩',
    governments: '*시;*도교육청;*대학교;*공사',
  }),
  language('ru', {
    latin: false,
    families:
      'Иванов|Ivanov,Смирнов|Smirnov,Кузнецов|Kuznetsov,Попов|Popov,Васильев|Vasilev,Петров|Petrov,Соколов|Sokolov,Михайлов|Mikhailov,Новиков|Novikov,Фёдоров|Fedorov,Морозов|Morozov,Волков|Volkov,Алексеев|Alekseev,Лебедев|Lebedev,Семёнов|Semenov,Егоров|Egorov',
    givens:
      'Александр|Aleksandr,Сергей|Sergey,Дмитрий|Dmitry,Алексей|Aleksey,Андрей|Andrey,Анна|Anna,Мария|Maria,Елена|Elena,Ольга|Olga,Наталья|Natalya',
    nouns:
      'Восток|Vostok,Запад|Zapad,Север|Sever,Юг|Yug,Волга|Volga,Урал|Ural,Сибирь|Sibir,Балтика|Baltika,Москва|Moskva,Нева|Neva,Альфа|Alfa,Вектор|Vektor,Горизонт|Gorizont,Звезда|Zvezda,Комета|Kometa,Маяк|Mayak,Орёл|Orel,Прогресс|Progress,Рубин|Rubin,Союз|Soyuz,Старт|Start,Титан|Titan,Феникс|Feniks,Эталон|Etalon,Русская|Russkaya,Новая|Novaya,Первая|Pervaya',
    trades:
      'Строй|Stroy,Инвест|Invest,Капитал|Kapital,Финанс|Finans,Лизинг|Lizing,Торг|Torg,Транс|Trans,Логистика|Logistika,Нефть|Neft,Газ|Gaz,Энерго|Energo,Металл|Metall,Сталь|Stal,Хим|Khim,Агро|Agro,Продукт|Produkt,Сервис|Servis,Техно|Tekhno,Проект|Proekt,Недвижимость|Nedvizhimost,Медиа|Media,Софт|Soft,Фарм|Farm,Банк|Bank,Страхование|Strakhovanie',
    qualifiers:
      'Холдинг|Holding,Групп|Grupp,Интернешнл|Interneshnl,Управляющая компания|Upravlyayushchaya kompaniya',
    syllables:
      'ал|al,ан|an,бе|be,бо|bo,ва|va,ве|ve,га|ga,да|da,до|do,ен|en,за|za,ил|il,ка|ka,ко|ko,ла|la,ле|le,ма|ma,ме|me,на|na,но|no,он|on,па|pa,по|po,ра|ra,ро|ro,са|sa,сто|sto,та|ta,тор|tor,ур|ur,фе|fe,ха|kha,эк|ek,юн|yun,яр|yar',
    and: ' и ',
    streets: 'ул. *, дом #;пр-т *, д. #;пер. *, дом #, корпус 2;набережная *, д. #',
    governments: 'Администрация города *;Министерство финансов области *;Университет *;Фонд *',
  }),
  language('el', {
    latin: false,
    families:
      'Παπαδόπουλος|Papadopoulos,Βλάχος|Vlachos,Αγγελόπουλος|Angelopoulos,Νικολαΐδης|Nikolaidis,Γεωργίου|Georgiou,Δημητρίου|Dimitriou,Παππάς|Pappas,Καραγιάννης|Karagiannis,Οικονόμου|Oikonomou,Μακρής|Makris',
    givens: 'Γιώργος|Giorgos,Δημήτρης|Dimitris,Κώστας|Kostas,Μαρία|Maria,Ελένη|Eleni,Αικατερίνη|Aikaterini',
    nouns:
      'Ελληνική|Elliniki,Αθηνά|Athina,Αιγαίο|Aigaio,Όλυμπος|Olympos,Κρήτη|Kriti,Μακεδονία|Makedonia,Ήλιος|Ilios,Θάλασσα|Thalassa,Άλφα|Alpha,Ωμέγα|Omega,Νέα|Nea,Γενική|Geniki,Πειραιώς|Piraeus,Εθνική|Ethniki,Αστήρ|Astir',
    trades:
      'Κατασκευαστική|Kataskevastiki,Εμπορική|Emporiki,Ναυτιλιακή|Naftiliaki,Τουριστική|Touristiki,Ξενοδοχειακή|Xenodocheiaki,Ενεργειακή|Energeiaki,Ακινήτων|Akiniton,Τροφίμων|Trofimon,Φαρμακευτική|Farmakeftiki,Επενδυτική|Ependytiki,Συμβουλευτική|Symvouleftiki,Βιομηχανική|Viomichaniki,Μεταφορική|Metaforiki,Πληροφορικής|Pliroforikis',
    qualifiers: 'Όμιλος|Omilos,Συμμετοχών|Symmetochon,Διεθνής|Diethnis',
    syllables:
      'αλ|al,αν|an,βε|ve,γα|ga,δη|di,ελ|el,ζω|zo,θε|the,ιο|io,κα|ka,κο|ko,λα|la,λη|li,μα|ma,με|me,νε|ne,νο|no,ξε|xe,πα|pa,πο|po,ρα|ra,ρο|ro,σα|sa,σι|si,τα|ta,τε|te,φι|fi,χα|cha,ωρ|or',
    and: ' και ',
    streets: '* #;Λεωφόρος * #;Πλατεία * #',
    governments: 'Δήμος *;Περιφέρεια *;Πανεπιστήμιο *',
  }),
  language('bg', {
    latin: false,
    families:
      'Иванов|Ivanov,Георгиев|Georgiev,Димитров|Dimitrov,Петров|Petrov,Николов|Nikolov,Христов|Hristov,Стоянов|Stoyanov,Тодоров|Todorov,Шевченко|Shevchenko,Коваленко|Kovalenko,Бондаренко|Bondarenko',
    givens: 'Георги|Georgi,Иван|Ivan,Димитър|Dimitar,Мария|Maria,Олександр|Oleksandr,Ірина|Iryna',
    nouns:
      'България|Balgaria,София|Sofia,Дунав|Dunav,Балкан|Balkan,Пирин|Pirin,Родопи|Rodopi,Тракия|Trakia,Слънце|Slantse,Звезда|Zvezda,Нова|Nova,Първа|Parva,Евро|Evro,Алфа|Alfa,Делта|Delta,Дніпро|Dnipro,Київ|Kyiv,Україна|Ukraina',
    trades:
      'Инвест|Invest,Имоти|Imoti,Строй|Stroy,Транс|Trans,Търговия|Targovia,Енерджи|Enerdzhi,Агро|Agro,Консулт|Konsult,Софт|Soft,Фарма|Farma,Метал|Metal,Груп|Grup,Туризъм|Turizam,Сервиз|Serviz',
    qualifiers: 'Холдинг|Holding,Груп|Grup,Интернешънъл|Interneshanal',
    syllables:
      'ал|al,ан|an,бе|be,бо|bo,ва|va,ге|ge,да|da,ди|di,ел|el,за|za,ил|il,ка|ka,ла|la,ли|li,ма|ma,ми|mi,на|na,но|no,па|pa,ра|ra,ро|ro,са|sa,си|si,та|ta,те|te,ур|ur,фи|fi,ха|ha,юн|yun,я|ya',
    and: ' и ',
    streets: 'ул. * №#;бул. * №#;пл. * №#',
    governments: 'Община *;Университет *;Болница *',
  }),
  language('ar', {
    latin: false,
    families:
      'العتيبي|Al Otaibi,الحربي|Al Harbi,القحطاني|Al Qahtani,الشمري|Al Shammari,الغامدي|Al Ghamdi,الراشد|Al Rashid,المنصور|Al Mansour,الهاشمي|Al Hashimi,النجار|Al Najjar,الحداد|Al Haddad',
    givens: 'محمد|Mohammed,أحمد|Ahmed,عبدالله|Abdullah,خالد|Khalid,سارة|Sara,فاطمة|Fatima',
    nouns:
      'الخليج|Al Khaleej,النور|Al Noor,الأمل|Al Amal,الشرق|Al Sharq,الوطنية|Al Wataniya,العربية|Al Arabia,المتحدة|Al Mottahida,الصقر|Al Saqr,الهلال|Al Hilal,النجم|Al Najm,الجزيرة|Al Jazeera,الرياض|Al Riyadh,دبي|Dubai,الماسة|Al Masa,الذهبية|Al Dhahabia',
    trades:
      'للتجارة|Trading,للمقاولات|Contracting,للاستثمار|Investment,للتطوير العقاري|Real Estate Development,للنقل|Transport,للصناعة|Industries,للخدمات|Services,للسياحة|Tourism,للأغذية|Foods,للطاقة|Energy,للتقنية|Technology,للاستشارات|Consulting',
    qualifiers: 'القابضة|Holding,الدولية|International,مجموعة|Group',
    syllables:
      'با|ba,بن|bin,تا|ta,جا|ja,حا|ha,دا|da,را|ra,زا|za,سا|sa,شا|sha,طا|ta,عا|a,فا|fa,قا|qa,كا|ka,لا|la,ما|ma,نا|na,ها|ha,وا|wa,يا|ya,مي|mi,ري|ri,لي|li',
    and: ' و',
    streets: 'شارع * #;طريق * مبنى #;حي * رقم #',
    governments: 'بلدية *;وزارة *;جامعة *',
  }),
  language('he', {
    latin: false,
    families: 'כהן|Cohen,לוי|Levy,מזרחי|Mizrahi,פרץ|Peretz,ביטון|Biton,פרידמן|Friedman',
    givens: 'דוד|David,משה|Moshe,יוסף|Yosef,שרה|Sara,רחל|Rachel',
    nouns:
      'ישראל|Israel,כרמל|Carmel,גליל|Galil,נגב|Negev,ארז|Erez,אלון|Alon,שמש|Shemesh,ים|Yam,כוכב|Kochav,אור|Or',
    trades:
      'השקעות|Investments,נדלן|Real Estate,בנייה|Construction,טכנולוגיות|Technologies,אנרגיה|Energy,מסחר|Trading,שירותים|Services,פיננסים|Finance',
    qualifiers: 'אחזקות|Holdings,קבוצת|Group,בינלאומי|International',
    syllables:
      'אב|av,בר|bar,גל|gal,דן|dan,הר|har,זיו|ziv,טל|tal,לב|lev,מור|mor,נר|ner,עד|ad,רון|ron,שי|shai,תם|tam',
    and: ' ו',
    streets: 'רחוב * #;שדרות * #;דרך * #',
    governments: 'עיריית *;אוניברסיטת *;מועצה אזורית *',
  }),
  language('th', {
    latin: false,
    families: 'ไทย|Thai,สยาม|Siam,ทอง|Thong,เงิน|Ngoen,สุข|Suk,เจริญ|Charoen,มั่นคง|Mankhong,ศรี|Sri',
    givens: 'สมชาย|Somchai,สมหญิง|Somying,วิชัย|Wichai,มาลี|Malee',
    nouns:
      'กรุงเทพ|Krungthep,สยาม|Siam,ไทย|Thai,เอเชีย|Asia,สุขุมวิท|Sukhumvit,เพชร|Phet,ทอง|Thong,ดาว|Dao,ตะวัน|Tawan,รุ่งเรือง|Rungrueang',
    trades:
      'พัฒนา|Development,การค้า|Trading,อุตสาหกรรม|Industry,ก่อสร้าง|Construction,ขนส่ง|Transport,พลังงาน|Energy,อาหาร|Foods,เทคโนโลยี|Technology,ประกันภัย|Insurance,หลักทรัพย์|Securities',
    qualifiers: 'กรุ๊ป|Group,โฮลดิ้ง|Holding,อินเตอร์เนชั่นแนล|International',
    syllables:
      'กา|ka,ขา|kha,คำ|kham,จัน|chan,ชา|cha,ดี|dee,นา|na,บัว|bua,พร|phon,มา|ma,รัก|rak,วัน|wan,สา|sa,อา|a',
    and: 'และ',
    space: ' ',
    streets: 'ถนน* #;ซอย* #;อาคาร* ชั้น #',
    governments: 'เทศบาลเมือง*;มหาวิทยาลัย*;กระทรวง*',
  }),
  language('ka', {
    latin: false,
    families: 'ბერიძე|Beridze,კაპანაძე|Kapanadze,გელაშვილი|Gelashvili,მაისურაძე|Maisuradze',
    givens: 'გიორგი|Giorgi,ნინო|Nino,დავით|Davit,ანა|Ana',
    nouns:
      'საქართველო|Sakartvelo,თბილისი|Tbilisi,კავკასია|Kavkasia,მთა|Mta,მზე|Mze,ახალი|Akhali,ვარსკვლავი|Varskvlavi',
    trades:
      'ინვესტი|Investi,მშენებელი|Mshenebeli,ენერჯი|Enerji,ტრანსი|Transi,აგრო|Agro,ფარმა|Farma,დეველოპმენტი|Developmenti',
    qualifiers: 'ჯგუფი|Jgupi,ჰოლდინგი|Holdingi',
    syllables: 'ალ|al,ბა|ba,გო|go,და|da,ვა|va,თა|ta,კო|ko,ლი|li,მა|ma,ნა|na,რო|ro,სა|sa',
    and: ' და ',
    streets: '*ს ქუჩა #;*ს გამზირი #',
    governments: '*ს მერია;*ს უნივერსიტეტი',
  }),
];

const byCode: ReadonlyMap<string, Language> = new Map(list.map((entry) => [entry.code, entry]));

/** The vocabulary of a language. @throws for an unknown code, which is a bug of the country table */
export function languageOf(code: string): Language {
  const found = byCode.get(code);
  if (found === undefined) throw new Error(`no vocabulary for language ${code}`);
  return found;
}
