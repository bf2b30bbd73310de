import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.FSDirectory;

/**
 * Company names in Lucene, set up for them: the whole name, words, neighbours joined, beginnings of words, and trigrams
 * of the name if the others find little. Reads lines from one pipe and answers on another: first names as
 * "entity TAB name" up to an empty line, then questions.
 */
public final class Names {
  private static final Set<String> FORMS = new HashSet<>(Arrays.asList((
      "limited ltd llc inc incorporated corp corporation co company gmbh ag kg ug sa sas sarl srl spa bv nv ab as aps oy "
      + "plc pty private pvt pte sdn bhd lp llp kft zrt sro doo ooo lda sl slu jsc sicav se ev mbh de cv").split(" ")));
  private static final int ANSWERS = 20;

  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    try (BufferedReader in = new BufferedReader(
            new InputStreamReader(new FileInputStream(arguments[1]), StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(new FileOutputStream(arguments[2]), true, StandardCharsets.UTF_8)) {
      index(folder, in);
      out.println(sizeOf(folder));
      try (DirectoryReader reader = DirectoryReader.open(FSDirectory.open(folder))) {
        IndexSearcher searcher = new IndexSearcher(reader);
        for (String line = in.readLine(); line != null; line = in.readLine()) out.println(answer(searcher, line));
      }
    }
  }

  private static void index(Path folder, BufferedReader in) throws Exception {
    IndexWriterConfig config = new IndexWriterConfig(new WhitespaceAnalyzer()).setRAMBufferSizeMB(256);
    try (IndexWriter writer = new IndexWriter(FSDirectory.open(folder), config)) {
      for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
        int tab = line.indexOf('\t');
        List<String> words = words(line.substring(tab + 1));
        Document document = new Document();
        document.add(new StoredField("entity", line.substring(0, tab)));
        document.add(new StringField("whole", String.join("", words), Field.Store.NO));
        document.add(new StringField("core", core(words), Field.Store.NO));
        document.add(new TextField("words", String.join(" ", words), Field.Store.NO));
        document.add(new TextField("joined", String.join(" ", joined(words)), Field.Store.NO));
        document.add(new TextField("begun", String.join(" ", beginnings(words)), Field.Store.NO));
        document.add(new TextField("grams", String.join(" ", trigrams(words)), Field.Store.NO));
        writer.addDocument(document);
      }
      writer.forceMerge(1);
    }
  }

  private static String answer(IndexSearcher searcher, String question) throws Exception {
    List<String> words = words(question);
    if (words.isEmpty()) return "";
    Set<String> entities = new LinkedHashSet<>();
    ScoreDoc[] hits = searcher.search(query(words, 0.6), 3 * ANSWERS).scoreDocs;
    collect(searcher, hits, entities);
    if (entities.size() < 3) collect(searcher, searcher.search(gramsQuery(words), 3 * ANSWERS).scoreDocs, entities);
    return entities.stream().limit(ANSWERS).collect(Collectors.joining(" "));
  }

  private static void collect(IndexSearcher searcher, ScoreDoc[] hits, Set<String> entities) throws Exception {
    for (ScoreDoc hit : hits) entities.add(searcher.doc(hit.doc).get("entity"));
  }

  /** Each word by its best reading; at least a share of the words, forms aside, must be there. */
  private static Query query(List<String> words, double share) {
    BooleanQuery.Builder telling = new BooleanQuery.Builder();
    BooleanQuery.Builder all = new BooleanQuery.Builder();
    int count = 0;
    for (int at = 0; at < words.size(); at++) {
      String word = words.get(at);
      Query one = word(words, at);
      if (FORMS.contains(word) && words.size() > 1) {
        all.add(new BoostQuery(one, 0.4f), Occur.SHOULD);
      } else {
        telling.add(one, Occur.SHOULD);
        count++;
      }
    }
    telling.setMinimumNumberShouldMatch(Math.max(1, (int) Math.floor(count * share)));
    BooleanQuery.Builder either = new BooleanQuery.Builder();
    if (count > 0) either.add(telling.build(), Occur.SHOULD);
    else either.add(new TermQuery(new Term("words", words.get(0))), Occur.SHOULD);
    either.add(new BoostQuery(new TermQuery(new Term("whole", String.join("", words))), 12f), Occur.SHOULD);
    either.add(new BoostQuery(new TermQuery(new Term("core", core(words))), 3f), Occur.SHOULD);
    all.add(either.build(), Occur.MUST);
    if (words.size() > 1) {
      PhraseQuery.Builder phrase = new PhraseQuery.Builder().setSlop(2);
      for (String word : words) phrase.add(new Term("words", word));
      all.add(new BoostQuery(phrase.build(), 0.5f), Occur.SHOULD);
    }
    return all.build();
  }

  private static Query word(List<String> words, int at) {
    String word = words.get(at);
    List<Query> readings = new ArrayList<>();
    readings.add(new TermQuery(new Term("words", word)));
    readings.add(new BoostQuery(new TermQuery(new Term("joined", word)), 0.8f));
    if (at + 1 < words.size()) readings.add(joint(word + words.get(at + 1)));
    if (at > 0) readings.add(joint(words.get(at - 1) + word));
    if (at == words.size() - 1 && word.length() > 2) {
      readings.add(new BoostQuery(new TermQuery(new Term("begun", word)), 0.6f));
    }
    int errors = word.length() < 4 ? 0 : word.length() < 7 ? 1 : 2;
    if (errors > 0) readings.add(new BoostQuery(new FuzzyQuery(new Term("words", word), errors, 1, 30, true), 0.6f));
    return new DisjunctionMaxQuery(readings, 0.05f);
  }

  private static Query joint(String word) {
    return new BoostQuery(new TermQuery(new Term("words", word)), 0.8f);
  }

  private static Query gramsQuery(List<String> words) {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    Set<String> grams = new LinkedHashSet<>(trigrams(words));
    for (String gram : grams) builder.add(new TermQuery(new Term("grams", gram)), Occur.SHOULD);
    builder.setMinimumNumberShouldMatch(Math.max(1, grams.size() / 3));
    return builder.build();
  }

  private static String core(List<String> words) {
    String core = words.stream().filter(word -> !FORMS.contains(word)).collect(Collectors.joining());
    return core.isEmpty() ? String.join("", words) : core;
  }

  private static List<String> joined(List<String> words) {
    List<String> pairs = new ArrayList<>();
    for (int at = 0; at + 1 < words.size(); at++) pairs.add(words.get(at) + words.get(at + 1));
    return pairs;
  }

  private static List<String> beginnings(List<String> words) {
    List<String> begun = new ArrayList<>();
    for (String word : words) {
      for (int length = 3; length < Math.min(word.length(), 12); length++) begun.add(word.substring(0, length));
    }
    return begun;
  }

  private static List<String> trigrams(List<String> words) {
    String text = String.join("", words);
    List<String> grams = new ArrayList<>();
    for (int at = 0; at + 3 <= text.length(); at++) grams.add(text.substring(at, at + 3));
    return grams;
  }

  /** Folded words: no accents, dots and apostrophes inside words dropped, "and" and its sisters dropped. */
  private static List<String> words(String text) {
    String folded = Normalizer.normalize(text, Normalizer.Form.NFKD).toLowerCase(Locale.ROOT)
        .replaceAll("\\p{M}", "").replace("ß", "ss").replace("ø", "o").replace("ł", "l").replace("æ", "ae")
        .replace("œ", "oe").replace("đ", "d").replaceAll("['’`.]", "").replaceAll("[^\\p{L}\\p{N}]+", " ").trim();
    List<String> words = new ArrayList<>();
    StringBuilder initials = new StringBuilder();
    for (String word : folded.split(" ")) {
      if (word.length() == 1 && Character.isLetter(word.charAt(0))) {
        initials.append(word);
        continue;
      }
      if (initials.length() > 0) words.add(initials.toString());
      initials.setLength(0);
      if (!word.isEmpty() && !List.of("and", "und", "et", "og", "och").contains(word)) words.add(word);
    }
    if (initials.length() > 0) words.add(initials.toString());
    return words;
  }

  private static long sizeOf(Path folder) throws Exception {
    try (var files = Files.list(folder)) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    }
  }
}
